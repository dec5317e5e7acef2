//! axe-core: what it finds wrong with how a page is read by those who do not see it.
//!
//! npm installs it into the target folder once. Without npm or its registry the checks are skipped, which a line on stderr says; with
//! `CI=true` that is a failure.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::browser::chromium::Browser;

/// The version that is installed.
const PACKAGE: &str = "axe-core@4.14.0";

/// The text of axe-core, if it can be had.
pub(crate) fn script() -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if !file.is_file() {
        std::fs::create_dir_all(&folder).unwrap();
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--no-save", "--prefix"]).arg(&folder).arg(PACKAGE);
        // Whether it worked is seen by the file.
        let _ = npm.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        let line = "\nACCESSIBILITY CHECKS SKIPPED: npm cannot install axe-core here\n";
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "CI is set, and there is no axe-core");
    }
    text
}

/// Checks what is shown: nothing of serious or critical impact is found.
pub(crate) fn check(browser: &mut Browser, script: &str, what: &str) {
    browser.eval(&format!("window.axe ? 1 : (() => {{ {script}; return 1; }})()"));
    let found = browser.eval(
        "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => `${id}: ${nodes[0].html} (${nodes[0].failureSummary})`))",
    );
    assert!(found.as_array().is_some_and(Vec::is_empty), "{what}: {found:#}");
}
