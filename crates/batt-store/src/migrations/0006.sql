CREATE TABLE cut ( -- generations that ended before all tasks had their turn
    run INTEGER NOT NULL REFERENCES run,
    generation INTEGER NOT NULL,
    tasks INTEGER NOT NULL, -- how many had it; generation 0, the start of a run, goes on after these
    PRIMARY KEY (run, generation)
) WITHOUT ROWID;
