-- A small shop: customers, goods, orders, and a few days of trade.
PRAGMA foreign_keys = ON;

CREATE TABLE customer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT DEFAULT 'Harbour',
    since DATE CHECK (since >= '2000-01-01')
);

CREATE TABLE category (
    code TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    parent TEXT REFERENCES category (code)
);

CREATE TABLE good (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    category TEXT NOT NULL REFERENCES category (code) ON UPDATE CASCADE,
    price INTEGER NOT NULL CHECK (price > 0),
    stock INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE purchase (
    id INTEGER PRIMARY KEY,
    customer INTEGER NOT NULL REFERENCES customer (id) DEFERRABLE INITIALLY DEFERRED,
    day DATE NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'sent'))
);

CREATE TABLE line (
    purchase INTEGER NOT NULL REFERENCES purchase (id) ON DELETE CASCADE,
    good INTEGER NOT NULL REFERENCES good (id),
    count INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (purchase, good)
) WITHOUT ROWID;

CREATE INDEX line_by_good ON line (good);
CREATE UNIQUE INDEX good_by_title ON good (title, category);

CREATE VIEW turnover AS
SELECT purchase.day, sum(line.count * good.price) AS total, count(DISTINCT purchase.id) AS purchases
FROM purchase
JOIN line ON line.purchase = purchase.id
JOIN good ON good.id = line.good
GROUP BY purchase.day
HAVING total > 0
ORDER BY purchase.day;

CREATE TRIGGER take_from_stock AFTER INSERT ON line
WHEN (SELECT stock FROM good WHERE id = NEW.good) >= NEW.count
BEGIN
    UPDATE good SET stock = stock - NEW.count WHERE id = NEW.good;
END;

INSERT INTO category VALUES ('T', 'Tools', NULL), ('TH', 'Hand tools', 'T'), ('TP', 'Power tools', 'T'), ('G', 'Garden', NULL);
INSERT INTO good (id, title, category, price, stock) VALUES
    (1, 'hammer', 'TH', 1500, 12),
    (2, 'saw', 'TH', 2100, 7),
    (3, 'drill', 'TP', 8900, 3),
    (4, 'spade', 'G', 2500, 9),
    (5, 'hose', 'G', 3100, 4);
INSERT INTO customer (id, name, since) VALUES (1, 'Ada', '2001-05-01'), (2, 'Ben', '2010-11-30'), (3, 'Cleo', '2021-02-14');
INSERT INTO customer VALUES (4, 'Dov', 'Hilltop', '2022-08-08');

BEGIN;
INSERT INTO purchase VALUES (1, 1, '2024-01-02', 'paid');
INSERT INTO line VALUES (1, 1, 2), (1, 4, 1);
COMMIT;

BEGIN;
INSERT INTO purchase (id, customer, day) VALUES (2, 7, '2024-01-03');
INSERT INTO line VALUES (2, 3, 1);
INSERT INTO customer (id, name, city) VALUES (7, 'Eve', 'Quarry');
COMMIT;

SELECT * FROM turnover;
WITH RECURSIVE tree (code, depth) AS (
    SELECT code, 0 FROM category WHERE parent IS NULL
    UNION ALL
    SELECT category.code, depth + 1 FROM category JOIN tree ON category.parent = tree.code
)
SELECT depth, group_concat(code, ' ') FROM tree GROUP BY depth;

BEGIN;
UPDATE purchase SET state = 'sent' WHERE id = 1;
INSERT INTO purchase (id, customer, day) VALUES (3, 3, '2024-01-04'), (4, 9, '2024-01-04');
INSERT INTO line (purchase, good) SELECT 3, id FROM good WHERE price < 2200;
DELETE FROM customer WHERE id = 4;
COMMIT;

UPDATE category SET code = 'Q' WHERE code = 'G';
SELECT good.title, category.title, CASE WHEN stock > 5 THEN 'many' WHEN stock > 0 THEN 'few' ELSE 'none' END
FROM good LEFT JOIN category ON category.code = good.category
WHERE good.price BETWEEN 1000 AND 9000 AND good.title LIKE '%a%'
ORDER BY good.price DESC
LIMIT 3;
DELETE FROM purchase WHERE id = 2;
