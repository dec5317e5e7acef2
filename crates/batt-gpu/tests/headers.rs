//! The generated headers are those of the table and of the kernels. When this test fails, run it with `UPDATE_EXPECT=1`.

use expect_test::expect_file;

#[test]
fn opcodes_are_those_of_the_table() {
    expect_file!["../kernels/opcodes.h"].assert_eq(&batt_gpu::opcodes_header());
}

#[test]
fn dispatch_knows_what_the_kernels_have() {
    expect_file!["../kernels/dispatch.h"].assert_eq(&batt_gpu::dispatch_header());
}
