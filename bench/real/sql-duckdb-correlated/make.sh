tpch >queries.sql
cat >>queries.sql <<'END'
CREATE TABLE stock (place INTEGER, weight INTEGER);
SELECT (SELECT (SELECT (SELECT place) FROM stock) WHERE (SELECT place)) AS deepest, weight FROM stock ORDER BY weight;
END
