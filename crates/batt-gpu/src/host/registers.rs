//! Few registers for many values: a register is used again when the value in it was used for the last time.

use crate::kernels::{Control, Instruction, REGISTERS, Word};

use super::compile::Unsupported;

/// A register before it is known which: each value has one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Virtual(pub(crate) u16);

impl Virtual {
    pub(crate) const INPUT: Self = Self(0);
}

/// Rewrites instructions from virtual to real registers. The first so many registers have values before the first instruction.
pub(crate) fn allocate(code: &mut [Instruction], given: usize) -> Result<(), Unsupported> {
    let last_uses = last_uses(code, given);
    let mut real: Vec<Option<u16>> = vec![None; last_uses.len()];
    let mut free = [true; REGISTERS as usize];
    if given > free.len() {
        return Err(Unsupported::Size);
    }
    for k in 0..given {
        real[k] = Some(k as u16);
        free[k] = false;
    }
    let mut in_use: Vec<(usize, u16)> = Vec::new();
    for (at, now) in code.iter_mut().enumerate() {
        // Operands are read before the value is written, but a loop lays its item while its containers are still needed.
        let frees_first = now.op & 0xFFF != Control::Loop as u16;
        for arg in operands(now) {
            if let Some(register) = Word(*arg).as_register() {
                *arg = real.get(usize::from(register)).copied().flatten().ok_or(Unsupported::Size)?;
            }
        }
        if frees_first {
            release(&mut in_use, &mut free, at + 1);
        }
        let target = usize::from(now.target);
        let count = targets(now);
        // The second of two ways to a value has the register that the first has.
        if is_move(now)
            && let Some(Some(register)) = real.get(target)
        {
            now.target = *register;
            release(&mut in_use, &mut free, at + 1);
            continue;
        }
        if count > 0 {
            let found =
                (1..=usize::from(REGISTERS) - count).find(|&k| free[k..k + count].iter().all(|&free| free)).ok_or(Unsupported::Size)?;
            now.target = found as u16;
            for k in 0..count {
                free[found + k] = false;
                real[target + k] = Some((found + k) as u16);
                in_use.push((last_uses[target + k].max(at), (found + k) as u16));
            }
        }
        release(&mut in_use, &mut free, at + 1);
    }
    Ok(())
}

/// Puts constants into the last registers, where a run lays them before it begins; `constants` has them as words, the last register's first.
pub(crate) fn lay_constants(code: &mut [Instruction], constants: &mut Vec<u16>) -> Result<(), Unsupported> {
    constants.clear();
    let mut highest = 0;
    for now in code.iter_mut() {
        highest = highest.max(usize::from(now.target) + targets(now));
        for arg in operands(now) {
            if Word(*arg).as_register().is_some() {
                continue;
            }
            let place = constants.iter().position(|constant| constant == arg).unwrap_or_else(|| {
                constants.push(*arg);
                constants.len() - 1
            });
            *arg = REGISTERS.checked_sub(1 + place as u16).ok_or(Unsupported::Size)?;
        }
    }
    if highest + constants.len() > usize::from(REGISTERS) { Err(Unsupported::Size) } else { Ok(()) }
}

/// Frees the registers whose values are not used from `at` on.
fn release(in_use: &mut Vec<(usize, u16)>, free: &mut [bool], at: usize) {
    in_use.retain(|&(last, register)| {
        let needed = last >= at;
        if !needed {
            free[usize::from(register)] = true;
        }
        needed
    });
}

fn is_move(instruction: &Instruction) -> bool {
    instruction.op & 0xFFF == Control::Move as u16
}

/// How many registers an instruction writes.
pub(crate) fn targets(instruction: &Instruction) -> usize {
    let op = instruction.op & 0xFFF;
    if op == Control::Loop as u16 {
        return 2;
    }
    let none = [Control::Charge, Control::Fail, Control::Return, Control::Unless];
    usize::from(!none.iter().any(|&other| op == other as u16))
}

/// The arguments of an instruction that are operands.
pub(crate) fn operands(instruction: &mut Instruction) -> &mut [u16] {
    let count = match instruction.op & 0xFFF {
        op if op == Control::Charge as u16 || op == Control::Fail as u16 => 0,
        op if op == Control::Loop as u16 => usize::from(instruction.args[3] >> 12 & 3).min(2),
        op if op == Control::Match as u16 => 2,
        op if op >= Control::Loop as u16 => 1,
        _ => usize::from(instruction.jump >> 2 & 7).min(4),
    };
    &mut instruction.args[..count]
}

/// By virtual register, the last instruction that needs it: what a loop uses from outside, it needs to its end.
fn last_uses(code: &[Instruction], given: usize) -> Vec<usize> {
    let registers = code.iter().map(|now| usize::from(now.target) + targets(now)).max().unwrap_or(0).max(given);
    let mut last = vec![0; registers];
    let mut defined = vec![0; registers];
    // The ends of the loops that are open at each instruction, outermost first, with their beginnings.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, now) in code.iter().enumerate() {
        open.retain(|&(_, end)| end >= at);
        for arg in operands(&mut now.clone()) {
            if let Some(register) = Word(*arg).as_register().map(usize::from)
                && register < registers
            {
                // The outermost loop that the value came from outside of keeps it.
                let end = open.iter().find(|&&(begin, _)| defined[register] < begin).map_or(at, |&(_, end)| end);
                last[register] = last[register].max(end);
            }
        }
        for k in 0..targets(now) {
            defined[usize::from(now.target) + k] = at;
        }
        // Both ways to a value need its register.
        if is_move(now) {
            last[usize::from(now.target)] = at;
        }
        if now.op & 0xFFF == Control::Loop as u16 {
            let end = usize::from(now.jump);
            for k in 0..2 {
                last[usize::from(now.target) + k] = end;
            }
            open.push((at, end));
        }
    }
    last
}
