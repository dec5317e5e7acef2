CREATE TABLE run_program ( -- the programs that a run began with, which it needs to go on
    run INTEGER NOT NULL REFERENCES run,
    place INTEGER NOT NULL, -- from 0, in the order of the run
    program INTEGER NOT NULL REFERENCES program,
    name TEXT NOT NULL, -- what it was called then
    PRIMARY KEY (run, place)
) WITHOUT ROWID;
CREATE TABLE run_place ( -- where runs began: paths that they were told are looked for there. Nothing else depends on it
    run INTEGER PRIMARY KEY REFERENCES run,
    folder TEXT NOT NULL
);
