-- Orders and those who placed them.
CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    name VARCHAR(80) NOT NULL DEFAULT 'nobody',
    balance DECIMAL(10, 2) CHECK (balance >= 0)
);
CREATE TABLE IF NOT EXISTS orders (
    id INT NOT NULL,
    customer INT REFERENCES customers (id),
    placed TIMESTAMP,
    UNIQUE (id, customer)
);
CREATE INDEX by_name ON customers (name);
CREATE VIEW rich AS SELECT * FROM customers WHERE balance > 1e3;

INSERT INTO customers (id, name) VALUES (1, 'Ann'), (2, NULL), (3, 'O''Hara');
UPDATE customers SET balance = balance * 1.05, name = upper(name) WHERE id IN (1, 2);
DELETE FROM orders WHERE placed IS NULL OR NOT (id BETWEEN 3 AND 5);

WITH recent AS (
    SELECT customer, count(*) AS n FROM orders GROUP BY customer HAVING count(*) > 1
)
SELECT DISTINCT c.name, r.n + 1 AS more,
    CASE WHEN r.n > 3 THEN 'many' ELSE 'few' END AS kind,
    row_number() OVER (PARTITION BY c.id ORDER BY r.n DESC) AS place
FROM customers AS c
LEFT JOIN recent AS r ON c.id = r.customer
WHERE c.name LIKE 'A%' AND EXISTS (SELECT 1 FROM orders WHERE customer = c.id)
ORDER BY more ASC, c.name
LIMIT 10 OFFSET 2;

SELECT 1 UNION ALL SELECT CAST('2' AS INT);
ALTER TABLE orders ADD COLUMN note TEXT;
DROP TABLE orders;
/* the end */
