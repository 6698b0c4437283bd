SELECT device_id, window_end, readings, status_error, error_count FROM (
  SELECT * FROM {windows}
  WHERE (device_id, window_start) IN (SELECT device_id, max(window_start) FROM {windows} GROUP BY device_id)
  ORDER BY device_id, readings DESC
  LIMIT 1 BY device_id
)
WHERE status_error > 0
SETTINGS final = 0
