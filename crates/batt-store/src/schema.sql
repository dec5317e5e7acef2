CREATE TABLE program ( -- programs, each once
    id INTEGER PRIMARY KEY, -- of this file only; the hash is the same everywhere
    hash_first INTEGER NOT NULL, -- of the text: the first 128 bits of BLAKE3. The first 32 of them, as a signed integer
    hash_middle INTEGER NOT NULL, -- the next 64
    hash_last INTEGER NOT NULL, -- the last 32
    origin INTEGER NOT NULL REFERENCES origin,
    first_parent INTEGER REFERENCES program, -- null also if the parent was pruned
    second_parent INTEGER REFERENCES program,
    text TEXT NOT NULL -- canonical: one call a line, under the name 'program'
);
CREATE INDEX program_of_hash ON program (hash_first);
CREATE TABLE origin ( -- where programs came from first; programs that came together share one
    id INTEGER PRIMARY KEY,
    operator INTEGER NOT NULL REFERENCES operator, -- what made them
    run INTEGER REFERENCES run, -- where they were made; null for an import
    generation INTEGER, -- in which they were made; null for an import
    seed INTEGER, -- of the operator, as a signed integer; null for an import
    parents INTEGER NOT NULL, -- how many each had: 0, 1 or 2
    source TEXT -- the file that they were imported from
);
CREATE VIEW program_text AS -- programs with their hash as 32 hexadecimal digits, and their origin
SELECT
    program.id AS id,
    printf('%08x%016x%08x', hash_first & 4294967295, hash_middle, hash_last & 4294967295) AS hash,
    text, operator, run, generation, seed, parents, first_parent, second_parent, source
FROM program JOIN origin ON origin.id = program.origin;
CREATE TABLE name ( -- names of programs; one may have several, and several the same
    name TEXT NOT NULL,
    program INTEGER NOT NULL REFERENCES program,
    PRIMARY KEY (name, program)
) WITHOUT ROWID;
CREATE INDEX names_of_program ON name (program, name);
CREATE TABLE task ( -- tasks
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE -- the id of the task in its data set
);
CREATE TABLE operator ( -- ways to make programs: 'import', a mutation operator, a family of search
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE score ( -- scores of programs on tasks
    program INTEGER NOT NULL REFERENCES program,
    task INTEGER NOT NULL REFERENCES task,
    demos_right INTEGER NOT NULL,
    demos INTEGER NOT NULL,
    score INTEGER NOT NULL, -- 0 to 1000 for each demo, added up
    size INTEGER NOT NULL, -- of the program
    fuel INTEGER NOT NULL, -- that it spent on the demos
    behaviour_low INTEGER, -- a 128-bit hash of its outputs on the demos, and on the test inputs if it fits: the low 64 bits, signed
    behaviour_high INTEGER, -- the high 64 bits; both null if it is not known
    order_dependent INTEGER, -- 1 if its outputs depend on the order of a set, which Python does not fix; null if it is not known
    PRIMARY KEY (program, task)
) WITHOUT ROWID;
CREATE INDEX best_of_task ON score (task, demos_right DESC, score DESC);
CREATE TABLE answer ( -- programs that search found for a task, and the evidence that their order follows from
    program INTEGER NOT NULL REFERENCES program,
    task INTEGER NOT NULL REFERENCES task,
    family INTEGER NOT NULL REFERENCES operator, -- the way in which it was found
    cost INTEGER NOT NULL, -- the lower the more likely
    place INTEGER NOT NULL, -- among the answers in the order of costs
    foretold INTEGER NOT NULL, -- demos that were right when they were left out of the fit
    votes INTEGER NOT NULL, -- other ways to the same columns
    support INTEGER NOT NULL, -- other fits of the family with the same outputs
    families INTEGER NOT NULL, -- other families with the same outputs
    palette INTEGER NOT NULL, -- whether its colours are those that the demos tell: 0 unknown, 1 yes, 2 maybe, 3 no
    probability INTEGER, -- that it is right, in millionths, beside the answers known when it was stored; null if nothing was learnt
    PRIMARY KEY (program, task)
) WITHOUT ROWID;
CREATE INDEX answers_of_task ON answer (task, cost, place, program);
CREATE TABLE run ( -- searches and evolutions
    id INTEGER PRIMARY KEY,
    seed INTEGER NOT NULL, -- the 64 bits of the seed, as a signed integer
    configuration TEXT NOT NULL, -- JSON: all options of the run
    batt_version TEXT NOT NULL,
    table_hash TEXT NOT NULL -- of the table of primitives
);
CREATE TABLE run_task ( -- the tasks of a run
    run INTEGER NOT NULL REFERENCES run,
    place INTEGER NOT NULL, -- from 0, in the order of the run
    task INTEGER NOT NULL REFERENCES task,
    PRIMARY KEY (run, place)
) WITHOUT ROWID;
CREATE TABLE run_program ( -- the programs that a run began with, which it needs to go on
    run INTEGER NOT NULL REFERENCES run,
    place INTEGER NOT NULL, -- from 0, in the order of the run
    program INTEGER NOT NULL REFERENCES program,
    name TEXT NOT NULL, -- its name then
    PRIMARY KEY (run, place)
) WITHOUT ROWID;
CREATE TABLE run_place ( -- the folder where a run began: its relative paths are looked up there
    run INTEGER PRIMARY KEY REFERENCES run,
    folder TEXT NOT NULL
);
CREATE TABLE run_time ( -- when a generation was saved; nothing depends on these times
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL, -- -1 is the start of the run
    unix_ms INTEGER NOT NULL, -- milliseconds since 1970, as the clock of the machine had it
    PRIMARY KEY (run, generation)
) WITHOUT ROWID;
CREATE TABLE pool ( -- the programs that a run keeps for a task
    run INTEGER NOT NULL REFERENCES run,
    task INTEGER NOT NULL REFERENCES task,
    rank INTEGER NOT NULL, -- from 0, the best first
    program INTEGER NOT NULL REFERENCES program,
    PRIMARY KEY (run, task, rank)
) WITHOUT ROWID;
CREATE TABLE fit ( -- programs that fit a task, and when a run found them first
    run INTEGER NOT NULL REFERENCES run,
    task INTEGER NOT NULL REFERENCES task,
    program INTEGER NOT NULL REFERENCES program,
    generation INTEGER NOT NULL,
    PRIMARY KEY (run, task, program)
) WITHOUT ROWID;
CREATE TABLE history ( -- progress of a run, a generation
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL, -- 0 is the start
    evaluations INTEGER NOT NULL, -- so far
    fits INTEGER NOT NULL, -- tasks that some program fits, so far
    total_score INTEGER NOT NULL, -- of the best program of each task
    mean_size_milli INTEGER NOT NULL, -- of the programs in the pools, in thousandths
    distinct_behaviours INTEGER NOT NULL, -- in the pools
    PRIMARY KEY (run, generation)
) WITHOUT ROWID;
CREATE TABLE operator_use ( -- how well the operators did, a generation
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL,
    operator INTEGER NOT NULL REFERENCES operator,
    tried INTEGER NOT NULL,
    duplicates INTEGER NOT NULL, -- programs that had been made before
    improved INTEGER NOT NULL, -- programs that went into a pool
    fits INTEGER NOT NULL, -- tasks that one of its programs fits and none did before
    PRIMARY KEY (run, generation, operator)
) WITHOUT ROWID;
CREATE TABLE cut ( -- generations that ended before all tasks had their turn
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL,
    tasks INTEGER NOT NULL, -- how many had it; generation 0, the start of a run, goes on after these
    PRIMARY KEY (run, generation)
) WITHOUT ROWID;
CREATE TABLE checkpoint ( -- the state from which a run goes on after its last generation
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
CREATE TABLE searched ( -- how far a search has come with a task. Has times, so equal runs have other ones
    run INTEGER NOT NULL REFERENCES run,
    task INTEGER NOT NULL REFERENCES task,
    progress TEXT NOT NULL, -- JSON
    PRIMARY KEY (run, task)
) WITHOUT ROWID;
