//! The options of all commands as data, for whoever offers the commands in another form: what clap knows is written down, and nothing is
//! described a second time.

use std::any::TypeId;
use std::num::NonZeroUsize;
use std::time::Duration;

use clap::{Arg, ArgAction, Command, CommandFactory};
use serde_json::{Value, json};

use super::{Cli, InFile, OutFile, OutFolder, ProgramSource, StoreFile, TaskSource};

/// All commands with their options: a list of objects, one for each command that has no commands in it.
pub fn table() -> Value {
    let mut command = Cli::command();
    command.build();
    let mut rows = Vec::new();
    collect(&command, &mut Vec::new(), &mut rows);
    Value::Array(rows)
}

fn collect(command: &Command, path: &mut Vec<String>, rows: &mut Vec<Value>) {
    let mut is_last = true;
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        is_last = false;
        path.push(inner.get_name().to_owned());
        collect(inner, path, rows);
        path.pop();
    }
    if is_last {
        let text = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string);
        rows.push(json!({
            "path": path,
            "about": text(command.get_about()),
            "long_about": text(command.get_long_about()),
            "after": text(command.get_after_help()),
            "options": command.get_arguments().filter(|arg| !is_of_the_program(arg)).map(option).collect::<Vec<_>>(),
        }));
    }
}

/// Options that are about the process, not about a command.
fn is_of_the_program(arg: &Arg) -> bool {
    arg.is_global_set() || matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version)
}

fn option(arg: &Arg) -> Value {
    let values =
        || arg.get_possible_values().iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name().to_owned()).collect();
    let is_flag = !arg.get_action().takes_values();
    let choices: Vec<String> = if is_flag { Vec::new() } else { values() };
    let defaults: Vec<String> = arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let range = arg.get_num_args();
    let many = matches!(arg.get_action(), ArgAction::Append) || range.is_some_and(|range| range.max_values() > 1);
    json!({
        "name": arg.get_id().as_str(),
        "long": arg.get_long(),
        "short": arg.get_short(),
        "value": arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string),
        "help": arg.get_help().map(ToString::to_string),
        "heading": arg.get_help_heading(),
        "kind": if is_flag { "flag" } else { kind(arg) },
        "choices": choices,
        "default": if is_flag { None } else { defaults.first() },
        "required": arg.is_required_set(),
        "many": many,
        "may_be_empty": !is_flag && range.is_some_and(|range| range.min_values() == 0),
    })
}

/// Kind of an option's value.
fn kind(arg: &Arg) -> &'static str {
    fn of<T: 'static>() -> TypeId {
        TypeId::of::<T>()
    }
    let kinds = [
        (of::<TaskSource>(), "tasks"),
        (of::<ProgramSource>(), "programs"),
        (of::<InFile>(), "read"),
        (of::<StoreFile>(), "store"),
        (of::<OutFile>(), "write"),
        (of::<OutFolder>(), "folder"),
        (of::<Duration>(), "time"),
        (of::<f64>(), "real"),
        (of::<u8>(), "integer"),
        (of::<u16>(), "integer"),
        (of::<u32>(), "integer"),
        (of::<u64>(), "integer"),
        (of::<usize>(), "integer"),
        (of::<NonZeroUsize>(), "integer"),
    ];
    let id = arg.get_value_parser().type_id();
    kinds.into_iter().find_map(|(one, name)| (id == one).then_some(name)).unwrap_or("text")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_with_their_kinds() {
        let table = table();
        let rows = table.as_array().unwrap();
        let of = |name: &str| rows.iter().find(|row| row["path"] == json!(name.split(' ').collect::<Vec<_>>())).unwrap();
        let option = |row: &Value, name: &str| row["options"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone();
        let search = of("search");
        let time = option(search, "time_per_task");
        assert_eq!((time["long"].as_str(), time["kind"].as_str()), (Some("time-per-task"), Some("time")));
        assert_eq!(option(search, "tasks")["kind"], "tasks");
        assert_eq!(option(search, "resume")["kind"], "flag");
        assert_eq!(option(of("run"), "top")["default"], "3");
        assert_eq!(option(of("run"), "pairing")["choices"], json!(["own", "all"]));
        assert_eq!(option(of("profile task"), "flame")["kind"], "write");
    }
}
