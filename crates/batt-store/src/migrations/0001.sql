CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE -- the id of the task in its data set
);
CREATE TABLE operator (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE -- what makes programs: 'import', or a mutation operator
);
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    seed INTEGER NOT NULL, -- the 64 bits of the seed, as a signed integer
    configuration TEXT NOT NULL, -- JSON: all that the run was told
    batt_version TEXT NOT NULL,
    table_hash TEXT NOT NULL -- of the table of primitives
);
CREATE TABLE run_task ( -- the tasks that a run is about
    run INTEGER NOT NULL REFERENCES run,
    place INTEGER NOT NULL, -- from 0, in the order of the run
    task INTEGER NOT NULL REFERENCES task,
    PRIMARY KEY (run, place)
) WITHOUT ROWID;
CREATE TABLE program (
    id INTEGER PRIMARY KEY, -- of this file only; the hash is the same everywhere
    hash TEXT NOT NULL UNIQUE, -- of the text: the first 128 bits of BLAKE3, 32 hexadecimal digits
    text TEXT NOT NULL, -- canonical: one call a line, under the name 'program'
    operator INTEGER NOT NULL REFERENCES operator, -- what made it first
    run INTEGER REFERENCES run, -- where it was made first; null for an import
    generation INTEGER, -- in which it was made; null for an import
    seed INTEGER, -- of the operator, as a signed integer; null for an import
    parents INTEGER NOT NULL, -- how many it had: 0, 1 or 2
    first_parent INTEGER REFERENCES program, -- null also if the parent was pruned
    second_parent INTEGER REFERENCES program,
    source TEXT -- the file that it was imported from
);
CREATE TABLE name ( -- what programs are called; one may have several names, and several the same
    name TEXT NOT NULL,
    program INTEGER NOT NULL REFERENCES program,
    PRIMARY KEY (name, program)
) WITHOUT ROWID;
CREATE INDEX names_of_program ON name (program, name);
CREATE TABLE score ( -- how good a program is on a task
    program INTEGER NOT NULL REFERENCES program,
    task INTEGER NOT NULL REFERENCES task,
    demos_right INTEGER NOT NULL,
    demos INTEGER NOT NULL,
    score INTEGER NOT NULL, -- 0 to 1000 for each demo, added up
    size INTEGER NOT NULL, -- of the program
    fuel INTEGER NOT NULL, -- that it spent on the demos
    behaviour INTEGER NOT NULL, -- a hash of what it gave on the demos
    PRIMARY KEY (program, task)
) WITHOUT ROWID;
CREATE INDEX best_of_task ON score (task, demos_right DESC, score DESC, size, fuel, program);
CREATE TABLE pool ( -- the programs that a run keeps for a task
    run INTEGER NOT NULL REFERENCES run,
    task INTEGER NOT NULL REFERENCES task,
    rank INTEGER NOT NULL, -- from 0, the best first
    program INTEGER NOT NULL REFERENCES program,
    PRIMARY KEY (run, task, rank)
) WITHOUT ROWID;
CREATE TABLE solution ( -- programs that are right on all demos of a task, and when a run found them
    run INTEGER NOT NULL REFERENCES run,
    task INTEGER NOT NULL REFERENCES task,
    program INTEGER NOT NULL REFERENCES program,
    generation INTEGER NOT NULL,
    PRIMARY KEY (run, task, program)
) WITHOUT ROWID;
CREATE TABLE operator_use ( -- what the operators were good for, a generation
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL,
    operator INTEGER NOT NULL REFERENCES operator,
    tried INTEGER NOT NULL,
    duplicates INTEGER NOT NULL, -- programs that had been made before
    improved INTEGER NOT NULL, -- programs that went into a pool
    solved INTEGER NOT NULL, -- programs that are right on all demos of a task
    PRIMARY KEY (run, generation, operator)
) WITHOUT ROWID;
CREATE TABLE history ( -- how a run went, a generation
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL,
    evaluations INTEGER NOT NULL, -- so far
    solved INTEGER NOT NULL, -- tasks so far
    total_score INTEGER NOT NULL, -- of the best program of each task
    mean_size_milli INTEGER NOT NULL, -- of the programs in the pools, in thousandths
    distinct_behaviours INTEGER NOT NULL, -- in the pools
    PRIMARY KEY (run, generation)
) WITHOUT ROWID;
CREATE TABLE checkpoint ( -- what a run needs to go on after its last saved generation
    run INTEGER PRIMARY KEY REFERENCES run,
    generation INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE TABLE seen ( -- hashes that a run made lately, so that it does not make them again
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL,
    hashes TEXT NOT NULL,
    PRIMARY KEY (run, generation)
);
CREATE TABLE run_time ( -- the only clock times in the store; nothing depends on them
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL, -- that was saved then; -1 is the start of the run
    unix_ms INTEGER NOT NULL, -- milliseconds since 1970, as the clock of the machine had it
    PRIMARY KEY (run, generation)
) WITHOUT ROWID;
