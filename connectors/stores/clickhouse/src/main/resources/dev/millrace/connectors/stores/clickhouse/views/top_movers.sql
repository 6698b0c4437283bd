SELECT
  device_id,
  max(end) AS window_end,
  argMin(mean, end) AS temperature_before,
  argMax(mean, end) AS temperature,
  temperature - temperature_before AS temperature_change
FROM (
  SELECT device_id, window_end AS end, temperature_sum / readings AS mean FROM {windows} FINAL
  ORDER BY device_id, window_start DESC
  LIMIT 2 BY device_id
)
GROUP BY device_id
HAVING count() = 2
ORDER BY abs(temperature_change) DESC, device_id
