//! How programs have their cells: `(c, (i, j))` or `(i, j, c)`, said by comments or seen by what they do.
#![expect(clippy::unwrap_used, reason = "tests")]

use batt_program::{Cells, ContentHash, Program, Reading, canonical_text, detect_cells, parse_file, print_file, print_program};
use batt_testing::program as parsed;

fn of_body(body: &str) -> Program {
    let lines: Vec<String> = body.lines().map(|line| format!("    {}\n", line.trim())).collect();
    parsed(&format!("def solve(S, I, C):\n{}", lines.concat()))
}

/// The cells of each function of a text.
fn cells_in(text: &str) -> Vec<(String, Cells, bool)> {
    let file = parse_file(text);
    file.programs.iter().map(|program| (program.name().to_owned(), program.cells(), program.says_cells())).collect()
}

const PAINTED: &str = "x1 = asobject(I)\nO = paint(I, x1)\nreturn O";

#[test]
fn a_comment_says_how_cells_are_made() {
    let body = "(I):\n    x1 = asobject(I)\n    return paint(I, x1)\n";
    let text = [
        &format!("def a{body}"),
        "def b(I):\n    # cells: ijc\n    x1 = asobject(I)\n    return paint(I, x1)\n",
        "def c(I):  # cells: ijc\n    x1 = asobject(I)\n    return paint(I, x1)\n",
        &format!("def d{body}"),
        "# cells: ijc\n# Another comment.\n\n",
        &format!("def e{body}"),
        "def f(I):\n    # cells: cij\n    x1 = asobject(I)\n    return paint(I, x1)\n",
        "def broken(I):\n    return (\n# cells: cij\n",
        &format!("def g{body}"),
        "# cells: ijc\n",
        &format!("def h{body}"),
        "# cells: ij\n# cells:cij\n#cells: cij\n# cells: cij or ijc\n",
        &format!("def i{body}"),
        "def j(I):\n    # cells: ijc\n    return rot90(I)\n",
    ]
    .concat();
    let (cij, ijc) = (Cells::Cij, Cells::Ijc);
    let expected = [
        ("a", cij, false),
        ("b", ijc, true),
        ("c", ijc, true),
        ("d", cij, false),
        ("e", ijc, true),
        ("f", cij, true),
        ("g", cij, true),
        ("h", ijc, true),
        ("i", ijc, true),
        // Without cells it does not matter.
        ("j", cij, true),
    ];
    assert_eq!(cells_in(&text), expected.map(|(name, cells, says)| (name.to_owned(), cells, says)));
}

#[test]
fn programs_with_other_cells_are_other_programs() {
    let cij = of_body(PAINTED);
    let ijc = cij.clone().with_cells(Cells::Ijc);
    assert_ne!(cij, ijc);
    assert_ne!(ContentHash::of(&cij), ContentHash::of(&ijc));
    assert_eq!(ijc.clone().with_cells(Cells::Cij), cij);
    assert_eq!(ijc.clone().with_cells(Cells::Ijc), ijc);
    assert_eq!(canonical_text(&cij), "def program(S, I, C):\n    x1 = asobject(I)\n    O = paint(I, x1)\n    return O\n");
    assert_eq!(canonical_text(&ijc), "def program(S, I, C):\n    # cells: ijc\n    x1 = asobject(I)\n    O = paint(I, x1)\n    return O\n");
    for program in [&cij, &ijc] {
        assert_eq!(&parsed(&print_program(program)), program);
        assert_eq!(&parsed(&canonical_text(program)), program);
    }
    // Without cells there is one program.
    let plain = of_body("O = rot90(I)\nreturn O");
    assert_eq!(plain.clone().with_cells(Cells::Ijc), plain);
}

#[test]
fn functions_as_values_have_cells_too() {
    let program =
        of_body("x1 = rapply((asobject, partition), I)\nx2 = compose(size, objects_t)\nO = x2(x1)\nreturn O").with_cells(Cells::Ijc);
    assert_eq!(parsed(&print_program(&program)), program);
    assert_ne!(program.clone().with_cells(Cells::Cij), program);
}

#[test]
fn a_program_with_some_triples_has_triples_throughout() {
    use batt_dsl::{Prim, with_cells};
    use batt_program::{Operand, Params, ProgramBuilder};
    let mut builder = ProgramBuilder::new(Params::Input);
    let cells = builder.call(with_cells(Prim::asobject.into(), Cells::Ijc), &[Operand::Input]).unwrap();
    let painted = builder.call(Prim::paint, &[Operand::Input, cells]).unwrap();
    let program = builder.finish("mixed", painted).unwrap();
    assert_eq!(program, parsed("def f(I):\n    # cells: ijc\n    return paint(I, asobject(I))\n"));
}

/// Cells are detected from the calls of programs of the typed dialect.
#[test]
fn cells_are_seen_by_what_programs_do() {
    let detected = |body: &str| detect_cells(&of_body(body));
    let ijc = [
        // The last item of a cell is compared with a colour, or stands for one.
        "x1 = rbind(get_nth_f, L1)\nx2 = matcher(x1, FIVE)\nx3 = asobject(I)\nx4 = sfilter_f(x3, x2)\nO = fill(I, ONE, x4)\nreturn O",
        "x1 = asobject(I)\nx2 = get_nth_f(x1, F0)\nx3 = last_t(x2)\nO = fill(I, x3, x1)\nreturn O",
        "x1 = rbind(get_nth_f, L1)\nx2 = fork(ascell, toindices, x1)\nx3 = asobject(I)\nx4 = get_nth_f(x3, F0)\nx5 = x1(x4)\n\
         x6 = recolor_o(x5, x3)\nO = paint(I, x6)\nreturn O",
        // A cell stands for its location.
        "x1 = asobject(I)\nx2 = mapply_f(ineighbors, x1)\nO = fill(I, ONE, x2)\nreturn O",
        "x1 = rbind(colorcount_f, ONE)\nx2 = rbind(toobject, I)\nx3 = chain(x1, x2, ineighbors)\nx4 = asobject(I)\n\
         x5 = sfilter_f(x4, x3)\nO = fill(I, ONE, x5)\nreturn O",
        // Names that came with triples.
        "x1 = asobject(I)\nx2 = apply(toij, x1)\nO = fill(I, ONE, x2)\nreturn O",
        "x1 = o_g_t(I, R5)\nx2 = get_nth_t(x1, F0)\nO = paint(I, x2)\nreturn O",
    ];
    for body in ijc {
        assert_eq!(detected(body), Cells::Ijc, "{body}");
    }
    let cij = [
        // The first item of a cell is a colour to one and a row to the other: both work, and arc-dsl's goes first.
        "x1 = rbind(get_nth_f, F0)\nx2 = matcher(x1, FIVE)\nx3 = asobject(I)\nx4 = sfilter_f(x3, x2)\nO = fill(I, ONE, x4)\nreturn O",
        // The last item of a cell is its location.
        "x1 = rbind(get_nth_f, L1)\nx2 = compose(ineighbors, x1)\nx3 = asobject(I)\nx4 = mapply_f(x2, x3)\nO = fill(I, ONE, x4)\nreturn O",
        "x1 = o_g(I, R5)\nx2 = get_arg_rank_f(x1, size_f, F0)\nO = fill(I, ONE, x2)\nreturn O",
        // Not in the typed dialect, whatever it does.
        "x1 = matcher(last, FIVE)\nx2 = asobject(I)\nx3 = sfilter(x2, x1)\nO = fill(I, ONE, x3)\nreturn O",
        // What can work neither way is left as it is.
        "x1 = size_f(I)\nx2 = o_g(x1, R5)\nO = fill(I, ONE, x2)\nreturn O",
    ];
    for body in cij {
        assert_eq!(detected(body), Cells::Cij, "{body}");
    }
}

#[test]
fn what_a_program_says_goes_first() {
    let unsaid = of_body("x1 = asobject(I)\nx2 = apply(toij, x1)\nO = fill(I, ONE, x2)\nreturn O");
    let read = |program: &Program, reading: Reading| program.clone().read_as(reading).cells();
    assert_eq!(read(&unsaid, Reading::Auto), Cells::Ijc);
    assert_eq!(read(&unsaid, Reading::As(Cells::Cij)), Cells::Cij);
    assert_eq!(read(&unsaid, Reading::As(Cells::Ijc)), Cells::Ijc);
    for cells in Cells::ALL {
        let said = parsed(&print_file([&unsaid.clone().with_cells(cells)]));
        assert!(said.says_cells());
        for reading in [Reading::Auto, Reading::As(Cells::Cij), Reading::As(Cells::Ijc)] {
            assert_eq!(read(&said, reading), cells);
        }
    }
    // Nothing is said where it goes without saying.
    let clear = of_body(PAINTED);
    assert_eq!(print_file([&clear]).matches("cells").count(), 0);
}
