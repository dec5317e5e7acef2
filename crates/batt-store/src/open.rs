//! Opening and making stores: files that are no store, or of another version, are refused before anything is written.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::error::{Fault, Inner, StoreError};

/// The tables of a store. A change of this script needs another [`VERSION`].
const SCHEMA: &str = include_str!("schema.sql");
/// The version of the schema. Versions 1 to 7 were never released: they encoded the texts of programs.
const VERSION: i64 = 8;
/// The letters `batt`, by which a `SQLite` file is a store.
const APPLICATION_ID: i64 = 0x6261_7474;

/// The purpose of opening a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading and writing; if there is none, one is made.
    Create,
    /// Reading and writing.
    Write,
    /// Reading. Works on a disk that cannot be written to.
    Read,
}

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The purpose.
    pub access: Access,
    /// How long to wait for another process that is writing.
    pub patience: Duration,
    /// The most pages of 4,096 bytes that the file may have, if there is such a limit.
    pub max_pages: Option<u32>,
}

/// A store: one `SQLite` file, and beside it those of its write-ahead log while it is open.
///
/// Any number of processes may have a store open. Each write is one transaction that is in the store when the call returns, and
/// writers wait for each other.
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
}

const OPEN: &str = "open the store";
/// A generation of a run is small; importing or merging a large library takes seconds.
const PATIENCE: Duration = Duration::from_secs(60);
/// In KiB: the index of hashes is written to in no order, and should stay in memory.
const CACHE: i64 = -64 * 1024;
/// A large generation touches most pages of the index of hashes. A log of this length avoids copying them to the file each time.
const LOG_PAGES: i64 = 8_000;
/// The first bytes of every `SQLite` file.
const MAGIC: &[u8] = b"SQLite format 3\0";
const HEADER: usize = 100;

impl Options {
    /// The usual ones.
    pub fn new(access: Access) -> Self {
        Self { access, patience: PATIENCE, max_pages: None }
    }
}

impl Store {
    /// Opens a store.
    pub fn open(path: &Path, access: Access) -> Result<Self, StoreError> {
        Self::open_with(path, &Options::new(access))
    }

    /// Opens a store in a particular way.
    pub fn open_with(path: &Path, options: &Options) -> Result<Self, StoreError> {
        if options.access == Access::Create && !path.exists() {
            create(path, options)?;
        }
        look_at(path)?;
        // An absolute path has no special meaning to SQLite, such as `:memory:` has.
        let absolute = path.canonicalize().map_err(|source| io(path, OPEN, source))?;
        let connection = match options.access {
            Access::Create | Access::Write => open_to_write(path, &absolute, options),
            Access::Read => open_to_read(path, &absolute, options),
        };
        let connection = connection.map_err(|fault| fault.explain(path, OPEN))?;
        tracing::info!(path = %path.display(), access = ?options.access, "store opened");
        Ok(Self { connection, path: path.to_owned() })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Does something, and says what it was if it fails.
    pub(crate) fn act<T>(&self, doing: &'static str, work: impl FnOnce(&Connection) -> Inner<T>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|fault| fault.explain(&self.path, doing))
    }

    /// Reads something, all of it as it is at one moment, whatever others write meanwhile.
    pub(crate) fn read<T>(&self, doing: &'static str, work: impl FnOnce(&Connection) -> Inner<T>) -> Result<T, StoreError> {
        self.act(doing, |connection| {
            // Within a transaction, it is the moment of that one.
            let snapshot = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
            let found = work(connection)?;
            snapshot.map_or(Ok(()), Transaction::commit)?;
            Ok(found)
        })
    }

    /// Does something in one transaction. It has the write lock from the start, so that two writers wait instead of failing.
    pub(crate) fn write<T>(&self, doing: &'static str, work: impl FnOnce(&Connection) -> Inner<T>) -> Result<T, StoreError> {
        self.act(doing, |connection| {
            // No transaction is ever open here: those that write have the store for themselves.
            let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

fn io(path: &Path, doing: &'static str, source: std::io::Error) -> StoreError {
    StoreError::Io { path: path.to_owned(), doing, source }
}

/// Makes an empty store beside its place and then puts it there, so that nobody ever finds half of one.
fn create(path: &Path, options: &Options) -> Result<(), StoreError> {
    const DOING: &str = "make the store";
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".batt-").suffix(".store");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder).map_err(|source| match source.kind() {
        ErrorKind::StorageFull => StoreError::Full { path: path.to_owned(), doing: DOING },
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => StoreError::ReadOnly { path: path.to_owned(), doing: DOING },
        _ => io(path, DOING, source),
    })?;
    let temporary = file.into_temp_path();
    let make = || {
        let absolute = temporary.canonicalize().map_err(|source| io(path, DOING, source))?;
        let mut connection = Connection::open_with_flags(&absolute, flags())?;
        prepare(&connection, options)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let transaction = connection.transaction()?;
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()?;
        connection.close().map_err(|(_, error)| error)?;
        Ok(())
    };
    if let Err(fault) = make() {
        // A log that could not be written is left behind, and the file that it belongs to is about to go.
        for log in ["-wal", "-shm", "-journal"] {
            let mut name = temporary.as_os_str().to_owned();
            name.push(log);
            let _ = std::fs::remove_file(name);
        }
        return Err(Fault::explain(fault, path, DOING));
    }
    match temporary.persist_noclobber(path) {
        // Another process was faster, and its store is as good.
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(io(path, DOING, error.error)),
        Ok(()) => Ok(()),
    }
}

/// Checks a file before `SQLite` does. An empty file would become a database, and a truncated one is noticed only when the missing part is
/// read.
fn look_at(path: &Path) -> Result<(), StoreError> {
    let not_a_store = |why: &str| Err(StoreError::NotAStore { path: path.to_owned(), why: why.to_owned() });
    let metadata = match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(StoreError::NotThere { path: path.to_owned() }),
        other => other.map_err(|source| io(path, OPEN, source))?,
    };
    if !metadata.is_file() {
        return not_a_store(if metadata.is_dir() { "it is a folder" } else { "it is no regular file" });
    }
    if metadata.len() == 0 {
        return not_a_store("the file is empty");
    }
    // A process may be moving pages from its log to the file at this moment. Once the log is gone the file is whole, so a second look
    // finds it whole.
    let cut = |_| Ok(if has_log(path) { None } else { missing(path).map_err(|source| io(path, OPEN, source))? });
    match (0..2).map(cut).collect::<Result<Option<Vec<String>>, StoreError>>()?.and_then(|mut looks| looks.pop()) {
        Some(what) => Err(StoreError::Corrupted { path: path.to_owned(), what }),
        None => Ok(()),
    }
}

/// The missing part of a file that is shorter than its header says, if it is a `SQLite` file.
fn missing(path: &Path) -> std::io::Result<Option<String>> {
    let mut header = Vec::with_capacity(HEADER);
    let mut file = std::fs::File::open(path)?;
    file.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    let length = file.metadata()?.len();
    if !header.starts_with(MAGIC) {
        return Ok(None);
    }
    let number = |at: usize, bytes: usize| {
        header.get(at..at + bytes).map(|bytes| bytes.iter().fold(0, |number: u64, &byte| number << 8 | u64::from(byte)))
    };
    let (Some(page), Some(pages), Some(changed), Some(counted)) = (number(16, 2), number(28, 4), number(24, 4), number(92, 4)) else {
        return Ok(Some("its header is cut".to_owned()));
    };
    let whole = pages * if page == 1 { 65_536 } else { page };
    // Old versions of SQLite leave the count of pages as it was.
    Ok((changed == counted && length < whole).then(|| format!("{length} of {whole} bytes are there")))
}

/// Whether there is a write-ahead log with something in it.
fn has_log(path: &Path) -> bool {
    let mut log = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|metadata| metadata.len() > 0)
}

/// Readers ask for more than they need, which `SQLite` grants them where it can: so the last one to close a store can clear its log away.
fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn open_to_write(path: &Path, absolute: &Path, options: &Options) -> Inner<Connection> {
    let read_only = || Fault::from(StoreError::ReadOnly { path: path.to_owned(), doing: "open the store for writing" });
    let connection = Connection::open_with_flags(absolute, flags())?;
    // SQLite opens what cannot be written for reading only, and says so when it is asked.
    if connection.is_readonly("main")? {
        return Err(read_only());
    }
    // The file is there, so what cannot be opened is its log.
    let ready = prepare(&connection, options).and_then(|()| recognize(&connection, path));
    ready.map_err(|fault| if is_unopenable(&fault) { read_only() } else { fault })?;
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        // Somebody took the store out of this mode. Where it cannot be had, transactions are as safe, and readers wait for writers.
        let _: rusqlite::Result<String> = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0));
    }
    Ok(connection)
}

fn open_to_read(path: &Path, absolute: &Path, options: &Options) -> Inner<Connection> {
    let open = |name: &Path, flags: OpenFlags| -> Inner<Connection> {
        let connection = Connection::open_with_flags(name, flags)?;
        prepare(&connection, options)?;
        recognize(&connection, path)?;
        Ok(connection)
    };
    match open(absolute, flags()) {
        // Reading with a log needs a file beside the store. Where none can be made nobody writes, and nothing is missing.
        Err(fault) if is_unopenable(&fault) && !has_log(absolute) => {
            open(&immutable(absolute), OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI)
        }
        opened => opened,
    }
}

fn is_unopenable(fault: &Fault) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, ReadOnly};
    matches!(fault, Fault::Sql(rusqlite::Error::SqliteFailure(failure, _)) if matches!(failure.code, CannotOpen | ReadOnly))
}

/// The address of a file that nobody changes.
fn immutable(absolute: &Path) -> PathBuf {
    let mut address = String::from("file:");
    for byte in absolute.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(byte) {
            address.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(address, "%{byte:02x}");
        }
    }
    address.push_str("?immutable=1");
    PathBuf::from(address)
}

/// Settings of a connection; none of them is kept in the file.
fn prepare(connection: &Connection, options: &Options) -> Inner<()> {
    connection.busy_timeout(options.patience)?;
    // Committed data survives a loss of power too: a generation takes seconds to make and a commit milliseconds.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", CACHE)?;
    connection.pragma_update_and_check(None, "wal_autocheckpoint", LOG_PAGES, |_| Ok(()))?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // The file may come from anywhere.
    connection.pragma_update(None, "trusted_schema", "OFF")?;
    connection.pragma_update(None, "cell_size_check", "ON")?;
    connection.pragma_update(None, "query_only", options.access == Access::Read)?;
    if let Some(pages) = options.max_pages {
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// Refuses a file that is no store, or of another version.
fn recognize(connection: &Connection, path: &Path) -> Inner<()> {
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != APPLICATION_ID {
        let why = "it is a SQLite database of another program".to_owned();
        return Err(StoreError::NotAStore { path: path.to_owned(), why }.into());
    }
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match found.cmp(&VERSION) {
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION }.into()),
        Ordering::Less => Err(StoreError::Older { path: path.to_owned(), found, known: VERSION }.into()),
    }
}
