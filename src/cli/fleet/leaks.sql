-- SPDX-License-Identifier: GPL-2.0-only OR MIT
-- Which hosts leak, and where, for DuckDB: over files of `alloctag export --format parquet --all`, one or several a host, in hosts/.
--
-- A site leaks here if it grows by a megabyte and more, along a line, in each third of its time above the one before, and in the last
-- third by a quarter of the average at least: a cache that has filled does not. `alloctag leak` looks closer, at one host.
WITH thirds AS (
    SELECT *, ntile(3) OVER (PARTITION BY host, boot, file, line, func, module ORDER BY time) AS third
    FROM read_parquet('hosts/*.parquet')
    WHERE NOT backing
), sites AS (
    SELECT host, boot, kernel, file, line, func, module, any_value(subsystem) AS subsystem,
        count(*) AS samples,
        arg_max(bytes, time) AS now,
        arg_max(bytes, time) - arg_min(bytes, time) AS growth,
        regr_slope(bytes, epoch(time)) * 3600 AS per_hour,
        regr_slope(bytes, epoch(time)) FILTER (third = 3) * 3600 AS late,
        regr_r2(bytes, epoch(time)) AS fit,
        min(bytes) FILTER (third = 1) AS first_floor,
        min(bytes) FILTER (third = 2) AS second_floor,
        min(bytes) FILTER (third = 3) AS third_floor
    FROM thirds
    GROUP BY host, boot, kernel, file, line, func, module
)
SELECT host, kernel, round(per_hour)::BIGINT AS bytes_per_hour, growth, now, file, line, func, module, subsystem
FROM sites
WHERE samples >= 9
    AND growth >= 1024 * 1024
    AND fit > 0.8
    AND first_floor < second_floor
    AND second_floor < third_floor
    AND late > per_hour / 4
ORDER BY per_hour DESC;
