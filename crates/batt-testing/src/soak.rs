//! Random tests are the same each time. `BATT_SOAK=SEED` makes them longer, with other cases for every seed.

/// The seed of a soak, if this is one.
pub fn soak() -> Option<u64> {
    std::env::var("BATT_SOAK").ok().map(|seed| seed.parse().unwrap_or(1))
}

/// So many cases, or in a soak so many.
pub fn count<T>(normal: T, in_soak: T) -> T {
    if soak().is_some() { in_soak } else { normal }
}

/// This seed, or in a soak one that depends on the soak's too.
pub fn seed(normal: u64) -> u64 {
    soak().map_or(normal, |soak| batt_core::Random::new(normal ^ soak.rotate_left(32)).next_u64())
}
