//! Times on the command line.

use std::time::Duration;

/// How a time is written: numbers with units, of which each may have a fraction.
const EXAMPLES: &str = "90s, 1.5m, 8h or 1h30m";

/// A time such as `90s`, `1.5m` or `1h30m`. A number alone may be seconds or minutes, so it is refused with what to write.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time: write it like {EXAMPLES}");
    if let Some(seconds) = decimal(text) {
        return Err(format!("`{seconds}` has no unit: write {seconds}s for seconds, or a time like {EXAMPLES}"));
    }
    let (mut total, mut rest) = (0.0, text);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
        let number: f64 = decimal(&rest[..end]).and_then(|number| number.parse().ok()).ok_or_else(wrong)?;
        let unit = match rest.as_bytes()[end] {
            b's' => 1.0,
            b'm' => 60.0,
            b'h' => 3600.0,
            _ => return Err(wrong()),
        };
        total += number * unit;
        rest = &rest[end + 1..];
    }
    match Duration::try_from_secs_f64(total) {
        Ok(time) if !time.is_zero() => Ok(time),
        Ok(_) => Err(format!("`{text}` is no time to work in: write it like {EXAMPLES}")),
        Err(_) => Err(wrong()),
    }
}

/// A decimal number that is written as people write it: digits, and maybe a point and digits.
fn decimal(text: &str) -> Option<&str> {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    (is_number(whole) && is_number(fraction)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let milliseconds =
            [("1h30m", 5_400_000), ("90s", 90_000), ("1.5s", 1_500), ("0.5h", 1_800_000), ("1m0.25s", 60_250), ("0.001s", 1)];
        for (text, expected) in milliseconds {
            assert_eq!(duration(text), Ok(Duration::from_millis(expected)), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_told() {
        for wrong in
            ["", "h", "5d", "-3s", "1.s", ".5s", "1..5s", "s1", "1e3s", "0s", "0.0h", "5 s", "NaNs", "1.5.5s", "9é", &"9".repeat(400)]
        {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert!(duration(&("9".repeat(400) + "h")).is_err());
        let told = |text: &str| Err(text.to_owned());
        assert_eq!(duration("5"), told("`5` has no unit: write 5s for seconds, or a time like 90s, 1.5m, 8h or 1h30m"));
        assert_eq!(duration("2x"), told("`2x` is no time: write it like 90s, 1.5m, 8h or 1h30m"));
    }
}
