//! The page: data, style and script in one text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::report::Report;

/// The page around the data. What is between `{{` and `}}` is replaced.
const FRAME: &str = include_str!("../../assets/page.html");
const STYLE: &str = include_str!("../../assets/style.css");
/// The script, in the order in which its parts build on each other.
const SCRIPTS: [&str; 13] = [
    include_str!("../../assets/base.js"),
    include_str!("../../assets/pictures.js"),
    include_str!("../../assets/viewer.js"),
    include_str!("../../assets/dialogs.js"),
    include_str!("../../assets/address.js"),
    include_str!("../../assets/source.js"),
    include_str!("../../assets/charts.js"),
    include_str!("../../assets/list.js"),
    include_str!("../../assets/program.js"),
    include_str!("../../assets/detail.js"),
    include_str!("../../assets/history.js"),
    include_str!("../../assets/flame.js"),
    include_str!("../../assets/sections.js"),
];
/// The end of the script, where everything begins.
const MAIN: &str = include_str!("../../assets/main.js");

/// Why no page was made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The data cannot be written as JSON.
    #[error("cannot write the data of the report: {0}")]
    Json(#[from] serde_json::Error),
}

/// The page of a report. It asks nothing of any network, and no text of the report is ever read as HTML.
pub fn page(report: &Report) -> Result<String, ReportError> {
    Ok(FrontEnd { title: &report.title, data: &serde_json::to_string(report)?, ..FrontEnd::default() }.page())
}

/// Parts of a page, besides those that all pages share.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrontEnd<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// The data that it begins with, as JSON.
    pub data: &'a str,
    /// Further parts of its script, which use those of every page.
    pub scripts: &'a [&'a str],
    /// Further rules of its style.
    pub style: &'a str,
    /// Whether it may ask the server that it comes from.
    pub asks: bool,
}

impl FrontEnd<'_> {
    /// The page, as one text. Nothing in it is asked for elsewhere, and only its own script is run.
    pub fn page(&self) -> String {
        let script = format!("\"use strict\";\n(() => {{\n{}{}{MAIN}}})();\n", SCRIPTS.concat(), self.scripts.concat());
        // The script is named by its hash: whatever else might look like a script is not run.
        let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
        let asks = if self.asks { " connect-src 'self';" } else { "" };
        let style = format!("{STYLE}{}", self.style);
        let parts = [
            ("hash", hash.as_str()),
            ("asks", asks),
            ("title", &escaped(self.title)),
            ("style", &style),
            ("data", &as_data(self.data)),
            ("script", &script),
        ];
        filled(FRAME, &parts)
    }
}

/// JSON that cannot end the element that it stands in.
fn as_data(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Replaces each `{{name}}` of a frame once; what is put in is not looked through again.
fn filled(frame: &str, parts: &[(&str, &str)]) -> String {
    let size = frame.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>();
    let mut page = String::with_capacity(size);
    let mut rest = frame;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else { break };
        page.extend(parts.iter().filter(|(known, _)| *known == name).map(|(_, text)| *text));
        rest = behind;
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::report::ProfileEntry;
    use crate::report::TaskEntry;
    use batt_profile::{Profile, Stack};

    #[test]
    fn text_of_a_report_is_never_html() {
        let evil = "</script><script>alert(1)</script><!-- {{data}} \u{2028}";
        let task = TaskEntry { id: evil.to_owned(), ..TaskEntry::default() };
        let report = Report { title: evil.to_owned(), tasks: vec![task], ..Report::default() };
        let page = page(&report).unwrap();
        assert!(!page.contains("alert(1)</script>"));
        assert!(page.contains("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
        assert_eq!(page.matches("</script>").count(), 2, "the data, and the script");
        assert_eq!(page.matches("<!--").count(), 0);
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["tasks"][0]["id"], evil);
    }

    #[test]
    fn the_policy_names_the_script_of_the_page_and_nothing_else() {
        let page = page(&Report::default()).unwrap();
        let script = page.split_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
        let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
        assert!(page.contains(&format!("default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'")), "{hash}");
        for address in ["http://", "https://", "src=", "href=", "@import", "url("] {
            let found: Vec<&str> = page.match_indices(address).map(|(at, _)| &page[at..(at + 40).min(page.len())]).collect();
            let outside = found.iter().filter(|text| !text.starts_with("http://www.w3.org/"));
            assert_eq!(outside.count(), 0, "{found:?}");
        }
        assert!(!page.contains("{{"));
    }

    #[test]
    fn a_page_with_a_flame_graph_has_no_inline_event_handler() {
        let stacks = ["objects", "fill"].map(|name| Stack { frames: vec![name.to_owned()], self_s: 1.0, ..Stack::default() });
        let profile = Profile { stacks: stacks.to_vec(), ..Profile::default() };
        let report = Report { profile: Some(ProfileEntry::new("p", &profile)), ..Report::default() };
        let page = page(&report).unwrap();
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        assert!(data.contains("objects"));
        for markup in ["\\u003c", "onload", "onclick", "onmouse"] {
            assert!(!data.contains(markup), "{markup} in {data}");
        }
    }

    #[test]
    fn the_script_has_no_way_to_read_text_as_html() {
        for part in SCRIPTS.iter().chain([&MAIN]) {
            for way in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "createContextualFragment",
                "DOMParser",
            ] {
                assert!(!part.contains(way), "{way}");
            }
        }
    }
}
