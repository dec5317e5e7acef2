//! Values as the device has them: 16 bytes and what they point to. `value.cuh` has the other side.

use crate::kernels::DeviceValue;
use batt_core::{Grid, Packed, Value, tuple_of};

/// Tags of results that are no values.
pub(crate) const OUT_OF_FUEL: u32 = 13;
pub(crate) const UNDEFINED: u32 = 14;
pub(crate) const REFUSED: u32 = 15;

mod tag {
    pub(super) const NOTHING: u32 = 0;
    pub(super) const INT: u32 = 1;
    pub(super) const BOOL: u32 = 2;
    pub(super) const PAIR: u32 = 3;
    pub(super) const CELL: u32 = 4;
    pub(super) const ROW: u32 = 5;
    pub(super) const GRID: u32 = 6;
    pub(super) const INDICES: u32 = 7;
    pub(super) const OBJECT: u32 = 8;
    pub(super) const TUPLE: u32 = 9;
    pub(super) const SET: u32 = 10;
}

/// The deepest nesting that the device looks through.
const MAX_DEPTH: u16 = 6;
/// The most cells or items of one value that go to the device.
const MAX_COUNT: usize = 1 << 14;
const SIZE: usize = size_of::<DeviceValue>();

fn device_value(tag: u32, count: usize, aux: u32, bits: u64) -> DeviceValue {
    DeviceValue { head: tag | (count as u32) << 8, aux, bits }
}

/// The form of a value.
pub(crate) fn tag_of(value: DeviceValue) -> u32 {
    value.head & 0xFF
}

fn count_of(value: DeviceValue) -> usize {
    (value.head >> 8) as usize
}

/// Memory that is laid out before it is known where it will be.
#[derive(Default)]
pub(crate) struct Image {
    bytes: Vec<u8>,
    /// Where addresses stand that count from the start of the image.
    addresses: Vec<usize>,
}

impl Image {
    /// Room at the start for so many values that are laid out later.
    pub(crate) fn with_values(count: usize) -> Self {
        Self { bytes: vec![0; count * SIZE], addresses: Vec::new() }
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Lays out a value, and puts it at place `index` of the values at the start; false if the device does not take it.
    pub(crate) fn put(&mut self, index: usize, value: &Value) -> bool {
        let Some(made) = self.value(value) else { return false };
        self.place(index * SIZE, made);
        true
    }

    fn place(&mut self, at: usize, value: DeviceValue) {
        self.bytes[at..at + SIZE].copy_from_slice(bytemuck::bytes_of(&value));
        if is_in_memory(value) {
            self.addresses.push(at + 8);
        }
    }

    fn append(&mut self, bytes: &[u8]) -> u64 {
        self.bytes.resize(self.bytes.len().next_multiple_of(16), 0);
        let at = self.bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        at
    }

    fn value(&mut self, value: &Value) -> Option<DeviceValue> {
        if value.depth() > MAX_DEPTH || value.count().is_some_and(|count| count > MAX_COUNT) {
            return None;
        }
        Some(match value {
            Value::Nothing => device_value(tag::NOTHING, 0, 0, 0),
            Value::Int(n) => device_value(tag::INT, 0, 0, *n as u64),
            Value::Bool(b) => device_value(tag::BOOL, 0, 0, u64::from(*b)),
            Value::Pair(a, b) => device_value(tag::PAIR, 2, 0, u64::from(*b as u32) << 32 | u64::from(*a as u32)),
            Value::Cell(cell) => device_value(tag::CELL, 2, 0, u64::from(cell.0)),
            Value::Row(cells) => device_value(tag::ROW, cells.len(), 0, self.append(bytemuck::cast_slice(cells))),
            Value::Grid(grid) => {
                let (height, width) = (grid.height(), grid.width());
                if grid.area() > MAX_COUNT {
                    return None;
                }
                let at = self.append(bytemuck::cast_slice(grid.cells()));
                device_value(tag::GRID, height, (height as u32) << 16 | width as u32, at)
            }
            Value::Indices(cells) => device_value(tag::INDICES, cells.len(), 0, self.packed(cells)),
            Value::Object(cells) => device_value(tag::OBJECT, cells.len(), 0, self.packed(cells)),
            Value::Tuple(items, nesting) | Value::Set(items, nesting) => {
                // Pairs of large numbers, and cells and locations out of range, sort where the device does not expect them.
                let out_of_range = |item: &Value| item.as_pair().is_some_and(|(i, j)| Packed::location(i, j).is_none());
                if value.as_cell().is_some() || value.as_pair().is_some() || (value.is_set() && items.iter().any(out_of_range)) {
                    return None;
                }
                let made: Vec<DeviceValue> = items.iter().map(|item| self.value(item)).collect::<Option<_>>()?;
                let at = self.append(&vec![0; made.len() * SIZE]);
                for (k, item) in made.into_iter().enumerate() {
                    self.place(at as usize + k * SIZE, item);
                }
                let form = if value.is_set() { tag::SET } else { tag::TUPLE };
                device_value(form, items.len(), u32::from(nesting.depth()) << 24 | nesting.weight(), at)
            }
            Value::Primitive(_) | Value::Closure(_) => return None,
        })
    }

    fn packed(&mut self, cells: &[Packed]) -> u64 {
        let words: Vec<u32> = cells.iter().map(|cell| cell.0).collect();
        self.append(bytemuck::cast_slice(&words))
    }

    /// The bytes of the image when it starts at an address.
    pub(crate) fn at(&self, base: u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for &place in &self.addresses {
            if let Ok(word) = <[u8; 8]>::try_from(&bytes[place..place + 8]) {
                bytes[place..place + 8].copy_from_slice(&(u64::from_le_bytes(word) + base).to_le_bytes());
            }
        }
        bytes
    }
}

fn is_in_memory(value: DeviceValue) -> bool {
    matches!(tag_of(value), tag::ROW | tag::GRID | tag::INDICES | tag::OBJECT)
        || (matches!(tag_of(value), tag::TUPLE | tag::SET) && count_of(value) > 0)
}

/// Memory of the device that was read back, by address.
#[derive(Default)]
pub(crate) struct Regions<'a>(Vec<(u64, &'a [u8])>);

/// Why what the device made is no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadValue {
    /// It points to memory that it may not point to.
    #[error("a value at {0:#x}, {1} bytes, outside of what a run may see")]
    Outside(u64, usize),
    /// A tag that no value has.
    #[error("the tag {0}")]
    Tag(u32),
    /// Another form than the one that this value has.
    #[error("{0} is not in its one form: the device has tag {1}, nesting {2:#x}")]
    Form(String, u32, u32),
}

impl<'a> Regions<'a> {
    pub(crate) fn add(&mut self, base: u64, bytes: &'a [u8]) {
        self.0.push((base, bytes));
    }

    fn bytes(&self, address: u64, len: usize) -> Result<&'a [u8], BadValue> {
        let inside = |&(base, bytes): &(u64, &'a [u8])| {
            let start = usize::try_from(address.checked_sub(base)?).ok()?;
            bytes.get(start..start.checked_add(len)?)
        };
        self.0.iter().find_map(inside).ok_or(BadValue::Outside(address, len))
    }

    fn packed(&self, value: DeviceValue) -> Result<Vec<Packed>, BadValue> {
        let words = self.bytes(value.bits, 4 * count_of(value))?.chunks_exact(4);
        Ok(words.map(|word| Packed(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))).collect())
    }

    /// The value that the device made; an error if it is not in the one form that it must have.
    pub(crate) fn value(&self, given: DeviceValue) -> Result<Value, BadValue> {
        let count = count_of(given);
        let cells = |len: usize| self.bytes(given.bits, len).map(bytemuck::cast_slice::<u8, i8>);
        let value = match tag_of(given) {
            tag::NOTHING => Value::Nothing,
            tag::INT => Value::Int(given.bits as i64),
            tag::BOOL => Value::Bool(given.bits != 0),
            tag::PAIR => Value::Pair(given.bits as u32 as i32, (given.bits >> 32) as u32 as i32),
            tag::CELL => Value::Cell(Packed(given.bits as u32)),
            tag::ROW => tuple_of(cells(count)?.iter().map(|&n| Value::Int(i64::from(n))).collect()),
            tag::GRID => {
                let (height, width) = ((given.aux >> 16) as usize, (given.aux & 0xFFFF) as usize);
                Grid::new(height, width, cells(height * width)?).map_or(Value::Nothing, Value::Grid)
            }
            tag::INDICES => Value::set_of(self.packed(given)?.iter().map(|p| Value::Pair(p.i(), p.j()))),
            tag::OBJECT => Value::set_of(self.packed(given)?.iter().map(|p| Value::Cell(*p))),
            tag::TUPLE | tag::SET => {
                let items: Vec<Value> = if count == 0 { Vec::new() } else { self.items(given)? };
                if tag_of(given) == tag::TUPLE { tuple_of(items) } else { Value::set_of(items) }
            }
            other => return Err(BadValue::Tag(other)),
        };
        // What was read is laid out again: the device must have had the very same.
        let mut image = Image::default();
        let again = image.value(&value);
        let same = again.is_some_and(|again| (again.head, again.aux) == (given.head, given.aux));
        let order_kept = match (&value, tag_of(given)) {
            (Value::Indices(cells) | Value::Object(cells), _) => **cells == *self.packed(given)?,
            (Value::Set(items, _), tag::SET) if count > 0 => **items == *self.items(given)?,
            _ => true,
        };
        if same && order_kept { Ok(value) } else { Err(BadValue::Form(format!("{value:?}"), tag_of(given), given.aux)) }
    }

    fn items(&self, given: DeviceValue) -> Result<Vec<Value>, BadValue> {
        let bytes = self.bytes(given.bits, count_of(given) * SIZE)?;
        bytes.chunks_exact(SIZE).map(|item| self.value(bytemuck::pod_read_unaligned(item))).collect()
    }
}
