CREATE TABLE answer ( -- programs that search found for a task, and what speaks for each: their order follows from it
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
CREATE TABLE searched ( -- how far a search has come with a task. Has times, so equal runs have other ones
    run INTEGER NOT NULL REFERENCES run,
    task INTEGER NOT NULL REFERENCES task,
    progress TEXT NOT NULL, -- JSON
    PRIMARY KEY (run, task)
) WITHOUT ROWID;
