CREATE TABLE word ( -- what programs are written with; a word stays
    id INTEGER PRIMARY KEY, -- the number of the character that stands for it in codes
    text TEXT NOT NULL UNIQUE
);
CREATE TABLE origin ( -- where programs came from first; programs that came together share one
    id INTEGER PRIMARY KEY,
    operator INTEGER NOT NULL REFERENCES operator, -- what made them
    run INTEGER REFERENCES run, -- where they were made; null for an import
    generation INTEGER, -- in which they were made; null for an import
    seed INTEGER, -- of the operator, as a signed integer; null for an import
    parents INTEGER NOT NULL, -- how many each had: 0, 1 or 2
    source TEXT -- the file that they were imported from
);
CREATE TABLE program ( -- read it as program_text
    id INTEGER PRIMARY KEY, -- of this file only; the hash is the same everywhere
    hash_first INTEGER NOT NULL, -- of the text: the first 128 bits of BLAKE3. The first 32 of them, as a signed integer
    hash_middle INTEGER NOT NULL, -- the next 64
    hash_last INTEGER NOT NULL, -- the last 32
    origin INTEGER NOT NULL REFERENCES origin,
    first_parent INTEGER REFERENCES program, -- null also if the parent was pruned
    second_parent INTEGER REFERENCES program,
    is_change INTEGER NOT NULL, -- whether the code says how that of the first parent is changed; if not, it is whole
    code TEXT NOT NULL -- of the text: one character a word
);
CREATE INDEX program_of_hash ON program (hash_first);
CREATE VIEW program_text AS -- programs with their whole text, canonical: one call a line, under the name 'program'
SELECT
    program.id AS id,
    printf('%08x%016x%08x', hash_first & 4294967295, hash_middle, hash_last & 4294967295) AS hash, -- 32 hexadecimal digits
    (
        WITH RECURSIVE
        parent (level, first_parent, is_change, code) AS ( -- back to a whole code
            SELECT 0, program.first_parent, program.is_change, program.code
            UNION ALL
            SELECT level + 1, older.first_parent, older.is_change, older.code
            FROM parent JOIN program AS older ON older.id = parent.first_parent WHERE parent.is_change
        ),
        -- What the characters of a change do to the code before: take over 1 to 26 or 27 on characters, leave out 1 to 8, or add what
        -- follows too. All others are added.
        does (first, last, what, less) AS (
            VALUES (65, 90, 'take', 64), (1024, 1423, 'take', 997), (97, 104, 'leave', 96), (96, 96, 'spell', 0), (126, 126, 'spell', 0)
        ),
        making (level, change, before, made) AS ( -- one change after the other, the oldest first
            SELECT level, '', code, '' FROM (SELECT level, code FROM parent ORDER BY level DESC LIMIT 1)
            UNION ALL
            SELECT
                level - (change = ''),
                CASE WHEN change = '' THEN (SELECT code FROM parent WHERE parent.level = making.level - 1)
                    ELSE substr(change, 2 + (what IS 'spell')) END,
                CASE WHEN change = '' THEN made || before
                    WHEN what IN ('take', 'leave') THEN substr(before, unicode(change) - less + 1) ELSE before END,
                CASE WHEN change = '' THEN '' WHEN what = 'take' THEN made || substr(before, 1, unicode(change) - less)
                    WHEN what = 'leave' THEN made ELSE made || substr(change, 1, 1 + (what IS 'spell')) END
            FROM making LEFT JOIN does ON unicode(change) BETWEEN first AND last
            WHERE level > 0 OR change <> ''
        ),
        -- One word after the other. = and !: a call that gives the next variable, or O. |: another line. 0-9 and U+0370 on: the variable of
        -- 1 to 10 or 11 on calls before. ` begins and ~ goes on with a word that is spelled. _: no line feed. All others are words.
        reading (rest, calls, before_word, end_of_line, text) AS (
            SELECT made || before, 0, '', '', '' FROM making WHERE level = 0 AND change = ''
            UNION ALL
            SELECT
                substr(rest, 2 + (unicode(rest) IN (96, 126))),
                calls + (unicode(rest) IN (61, 33)),
                CASE WHEN unicode(rest) IN (61, 33, 124) THEN '' WHEN unicode(rest) IN (126, 95) THEN before_word
                    WHEN before_word = '' THEN '(' ELSE ', ' END,
                CASE WHEN unicode(rest) IN (61, 33) THEN ')' || char(10) WHEN unicode(rest) = 124 THEN char(10)
                    WHEN unicode(rest) = 95 THEN '' ELSE end_of_line END,
                reading.text || CASE substr(rest, 1, 1)
                    WHEN '=' THEN end_of_line || '    x' || (calls + 1) || ' = '
                    WHEN '!' THEN end_of_line || '    O = '
                    WHEN '|' THEN end_of_line
                    WHEN '_' THEN ''
                    WHEN '~' THEN substr(rest, 2, 1)
                    WHEN '`' THEN before_word || substr(rest, 2, 1)
                    ELSE before_word || CASE WHEN unicode(rest) BETWEEN 48 AND 57 THEN 'x' || (calls - unicode(rest) + 47)
                        WHEN unicode(rest) BETWEEN 880 AND 1023 THEN 'x' || (calls - unicode(rest) + 869) ELSE word.text END
                END
            FROM reading LEFT JOIN word ON word.id = unicode(rest)
            WHERE rest <> ''
        )
        SELECT text || end_of_line FROM reading WHERE rest = ''
    ) AS text,
    operator, run, generation, seed, parents, first_parent, second_parent, source
FROM program JOIN origin ON origin.id = program.origin;
