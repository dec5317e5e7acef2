CREATE TABLE score ( -- how good a program is on a task
    program INTEGER NOT NULL REFERENCES program,
    task INTEGER NOT NULL REFERENCES task,
    demos_right INTEGER NOT NULL,
    demos INTEGER NOT NULL,
    score INTEGER NOT NULL, -- 0 to 1000 for each demo, added up
    size INTEGER NOT NULL, -- of the program
    fuel INTEGER NOT NULL, -- that it spent on the demos
    behaviour_low INTEGER, -- a 128-bit hash of what it gave on the demos, and on the test inputs if it fits: the low 64 bits, signed
    behaviour_high INTEGER, -- the high 64 bits; both null if it is not known
    order_dependent INTEGER, -- 1 if what it gave depends on the order of a set, which Python does not fix; null if it is not known
    PRIMARY KEY (program, task)
) WITHOUT ROWID;
CREATE INDEX best_of_task ON score (task, demos_right DESC, score DESC, ifnull(order_dependent, 1), size, fuel, program);
