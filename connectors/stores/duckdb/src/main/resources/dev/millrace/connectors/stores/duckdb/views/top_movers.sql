SELECT
  device_id,
  max(window_end) AS window_end,
  arg_min(mean, window_end) AS temperature_before,
  arg_max(mean, window_end) AS temperature,
  arg_max(mean, window_end) - arg_min(mean, window_end) AS temperature_change
FROM (
  SELECT device_id, window_end, temperature_sum / readings AS mean FROM windows
  QUALIFY row_number() OVER (PARTITION BY device_id ORDER BY window_start DESC) <= 2
)
GROUP BY device_id
HAVING count(*) = 2
ORDER BY abs(temperature_change) DESC, device_id
