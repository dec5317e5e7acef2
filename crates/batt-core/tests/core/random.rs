//! Random numbers that are fixed for good.

use batt_core::Random;

#[test]
fn numbers_are_those_of_splitmix64() {
    // The first numbers of the reference implementation for the seed 1234567.
    let mut random = Random::new(1_234_567);
    let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431];
    assert_eq!([(); 4].map(|()| random.next_u64()), expected);
}

#[test]
fn bounds_are_kept() {
    let mut random = Random::new(5);
    assert_eq!((random.below(0), random.below(1)), (0, 0));
    assert!((0..1000).all(|_| (-2..=3).contains(&random.between(-2, 3))));
    let heads = (0..7000).filter(|_| random.one_in(7)).count();
    assert!((800..1200).contains(&heads), "{heads}");
}
