//! `batt profile framework`: the DSL by family, and everything around it by what it is for.

use std::collections::BTreeMap;

use serde_json::json;

use crate::Profile;
use crate::names::CATEGORIES;
use crate::sheet::{Sheet, grouped, number, percent, time, words};

const ERRORS: &str = "error handling";

/// A category while it is summed up.
#[derive(Default)]
struct Category<'p> {
    self_s: f64,
    calls: u64,
    functions: Vec<(&'p str, f64)>,
}

/// Categories with their times, shares and the `top` functions of each.
pub fn framework(profile: &mut Profile, top: usize) -> Vec<Sheet> {
    let mut categories: BTreeMap<&str, Category<'_>> = CATEGORIES.iter().map(|&name| (name, Category::default())).collect();
    for row in &profile.rows {
        // What went into calls without an answer is a category of its own, whatever was called.
        let good = (row.self_s - row.undefined_s).max(0.0);
        let category = categories.entry(&row.category).or_default();
        category.self_s += good;
        category.calls += row.calls - row.undefined.min(row.calls);
        category.functions.push((&row.name, good));
        if row.undefined > 0 {
            let errors = categories.entry(ERRORS).or_default();
            errors.self_s += row.self_s - good;
            errors.calls += row.undefined;
            errors.functions.push((&row.name, row.self_s - good));
        }
    }
    let whole = profile.thread_s.max(f64::MIN_POSITIVE);
    let columns = [words("category"), number("time"), number("share"), number("calls"), number("functions"), words("most of it in")];
    let mut sheet = Sheet::new("The framework and the DSL", columns);
    let mut list: Vec<(&str, Category<'_>)> = categories.into_iter().collect();
    list.sort_by(|a, b| b.1.self_s.total_cmp(&a.1.self_s).then_with(|| a.0.cmp(b.0)));
    let (mut of_dsl, mut found) = (0.0, Vec::new());
    for (name, category) in &mut list {
        category.functions.retain(|&(_, time)| time > 0.0);
        category.functions.sort_by(|a, b| b.1.total_cmp(&a.1));
        let of = category.self_s.max(f64::MIN_POSITIVE);
        let most: Vec<String> = category.functions.iter().take(top).map(|&(name, time)| format!("{name} {}", percent(time / of))).collect();
        if name.starts_with("DSL ") || *name == "tuple operations" || *name == "set operations" || *name == ERRORS {
            of_dsl += category.self_s;
        }
        sheet.row([
            (*name).to_owned(),
            time(category.self_s),
            percent(category.self_s / whole),
            grouped(category.calls),
            grouped(category.functions.len() as u64),
            most.join(", "),
        ]);
        found.push(json!({
            "name": name, "self_s": category.self_s, "share": category.self_s / whole, "calls": category.calls,
            "functions": category.functions.len(),
            "top": category.functions.iter().take(top).map(|(name, time)| json!({"name": name, "self_s": time})).collect::<Vec<_>>(),
        }));
    }
    let not_attributed = profile.not_attributed_share;
    sheet.row(["not attributed".to_owned(), time(not_attributed * whole), percent(not_attributed)]);
    sheet.note(format!(
        "The DSL is {}, the framework {}; the rest is not attributed.",
        percent(of_dsl / whole),
        percent(1.0 - not_attributed - of_dsl / whole)
    ));
    sheet.note(
        "`error handling` is the time of calls without an answer; `tuple` and `set operations` are DSL calls on containers that give one.",
    );
    profile.views.insert("framework".to_owned(), json!({ "categories": found }));
    vec![sheet]
}
