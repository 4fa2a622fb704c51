tpch >queries.sql
cat >>queries.sql <<'END'
CREATE TABLE shelf (place INTEGER);
CREATE TABLE crate (place INTEGER);
CREATE TABLE pallet (owner INTEGER, weight INTEGER);
SELECT * FROM pallet AS crate(place) NATURAL RIGHT JOIN shelf, crate AS other(owner)
WHERE crate.weight >= other.owner;
END
