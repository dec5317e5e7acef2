//! Changes to options: dropped, doubled, swapped, others of the same command, with values of any kind.
//!
//! Left out are values with which a command works for long, as it should, and paths that lead out of the folder.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::sync::LazyLock;

use batt_core::Random;
use batt_testing::bytes;
use clap::{ArgMatches, Command, CommandFactory as _};

use crate::args::Cli;

/// The most that an option may say, where more means more work.
const MOST: [(&str, u64); 13] = [
    ("repeat", 3),
    ("generations", 2),
    ("population", 16),
    ("seconds", 1),
    ("threads", 3),
    ("order_check", 4),
    ("fuel", 50_000),
    ("fuel_floor", 50_000),
    ("random", 100),
    ("samples", 20),
    ("straight", 100),
    ("evaluations", 1_000_000),
    ("top", u64::MAX),
];
/// Options without which a command works for long.
const NEEDED: [(&str, &str); 2] = [("evolve", "generations"), ("profile", "repeat")];
/// Paths and names that are odd; some of them are files that commands write.
const NAMES: [&str; 14] =
    ["", "-", "--", "nowhere/x", "tasks", "tasks.json", "my.store", "programs.py", "made.json", "starter", "arc1", "flip", "out", "."];

/// The options of each command, and whether they take a value. Colours are never asked for.
static OPTIONS: LazyLock<HashMap<String, Vec<(String, bool)>>> = LazyLock::new(|| {
    let mut command = Cli::command();
    command.build();
    let mut all = HashMap::new();
    collect(&command, "", &mut all);
    all
});

/// Changes the arguments of a command, of which the first is the program.
pub(crate) fn change(args: &mut Vec<OsString>, random: &mut Random) {
    let before = args.clone();
    for _ in 0..=random.below(3) {
        change_once(args, random);
    }
    if !args.iter().skip(1).all(|arg| stays_inside(arg)) || !is_quick(args) {
        *args = before;
    }
}

fn change_once(args: &mut Vec<OsString>, random: &mut Random) {
    let at = 1 + random.below(args.len() - 1);
    match random.below(10) {
        0 if args.len() > 2 => drop(args.remove(at)),
        1 => args.insert(at, args[at].clone()),
        2 => {
            let other = 1 + random.below(args.len() - 1);
            args.swap(at, other);
        }
        3..=5 => {
            let value = value(random);
            args[at] = value;
        }
        6 => {
            let mut data = args[at].clone().into_vec();
            let other = random.pick(args).clone();
            bytes::change(&mut data, &[other.as_bytes()], random);
            data.truncate(100_000);
            args[at] = OsString::from_vec(data);
        }
        _ => {
            let (option, takes_value) = random.pick(options_of(args)).clone();
            let value = value(random);
            match (takes_value, random.below(4)) {
                (true, 0) => args.push(joined(&option, &value)),
                (true, 1..=2) => args.extend([option.into(), value]),
                _ => args.push(option.into()),
            }
        }
    }
}

fn joined(option: &str, value: &OsStr) -> OsString {
    let mut whole = OsString::from(option);
    whole.push("=");
    whole.push(value);
    whole
}

fn value(random: &mut Random) -> OsString {
    match random.below(8) {
        0..=2 => (*random.pick(&bytes::ODD)).into(),
        3 | 4 => (*random.pick(&NAMES)).into(),
        5 => OsString::from_vec(vec![b'a', 0xff, 0xfe, b'/', 0x80]),
        _ => bytes::odd_text(random).into(),
    }
}

/// The options of the command that the arguments name, and whether they take a value.
fn options_of(args: &[OsString]) -> &'static [(String, bool)] {
    let path: Vec<&str> = args.iter().skip(1).take(2).filter_map(|arg| arg.to_str()).collect();
    let found = OPTIONS.get(&path.join(" ")).or_else(|| OPTIONS.get(*path.first()?)).or_else(|| OPTIONS.get(""));
    found.map_or(&[], |options| options)
}

fn collect(command: &Command, path: &str, all: &mut HashMap<String, Vec<(String, bool)>>) {
    let options = command.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg.get_action().takes_values())));
    let options = options.filter(|(long, _)| *long != "color").map(|(long, takes)| (format!("--{long}"), takes));
    all.insert(path.to_owned(), options.collect());
    for inner in command.get_subcommands() {
        collect(inner, format!("{path} {}", inner.get_name()).trim(), all);
    }
}

/// Whether an argument names nothing outside of the folder, whatever it means.
fn stays_inside(arg: &OsStr) -> bool {
    let bytes = arg.as_bytes();
    let after = |before: &[u8]| bytes.windows(2).any(|pair| pair[1] == b'/' && before.contains(&pair[0]));
    let option_with_path = bytes.starts_with(b"-") && bytes.contains(&b'/');
    !bytes.starts_with(b"/")
        && !bytes.windows(2).any(|pair| pair == b"..")
        && !after(b"=:/")
        && !option_with_path
        && !bytes.starts_with(b"~")
        && !bytes.windows(6).any(|part| part == b"always")
}

/// Whether the command is wrong, or says nothing that takes long.
fn is_quick(args: &[OsString]) -> bool {
    let Ok(mut matches) = Cli::command().try_get_matches_from(args) else { return true };
    let mut within = true;
    while let Some((name, inner)) = matches.remove_subcommand() {
        let is_report = inner.try_get_one::<bool>("report").is_ok_and(|given| given.is_some_and(|given| *given));
        for (_, option) in NEEDED.iter().filter(|(command, _)| *command == name) {
            within &= is_report
                || has(&inner, option)
                || inner.subcommand().is_some_and(|(_, inner)| !takes(inner, option) || has(inner, option));
        }
        within &= MOST.iter().all(|(option, most)| numbers(&inner, option).all(|number| number <= *most));
        // It ends when somebody ends it.
        within &= name != "serve";
        within &= name != "generate" || numbers(&inner, "tasks").all(|number| number <= 20);
        within &= inner.try_get_raw("time").ok().flatten().is_none_or(|mut values| values.all(|value| value == "1s"));
        matches = inner;
    }
    within
}

fn takes(matches: &ArgMatches, option: &str) -> bool {
    matches.try_contains_id(option).is_ok()
}

fn has(matches: &ArgMatches, option: &str) -> bool {
    matches.try_contains_id(option).is_ok_and(|given| given)
}

fn numbers(matches: &ArgMatches, option: &str) -> impl Iterator<Item = u64> {
    let values = matches.try_get_raw(option).ok().flatten().into_iter().flatten();
    values.filter_map(|value| value.to_str()?.parse().ok())
}
