CREATE TABLE fit ( -- programs that fit a task, which is to be right on all its demos, and when a run found them
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
    fits INTEGER NOT NULL, -- tasks that one of its programs fits and none did before
    PRIMARY KEY (run, generation, operator)
) WITHOUT ROWID;
CREATE TABLE history ( -- how a run went, a generation
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL, -- 0 is the start
    evaluations INTEGER NOT NULL, -- so far
    fits INTEGER NOT NULL, -- tasks that some program fits, so far
    total_score INTEGER NOT NULL, -- of the best program of each task
    mean_size_milli INTEGER NOT NULL, -- of the programs in the pools, in thousandths
    distinct_behaviours INTEGER NOT NULL, -- in the pools
    PRIMARY KEY (run, generation)
) WITHOUT ROWID;
