SELECT device_id, window_end, readings, status_error, error_count FROM (
  SELECT * FROM windows QUALIFY row_number() OVER (PARTITION BY device_id ORDER BY window_start DESC) = 1
)
WHERE status_error > 0
