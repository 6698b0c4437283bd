SELECT device_id, window_end, readings, status_error, error_count FROM {windows} FINAL
WHERE (device_id, window_start) IN (SELECT device_id, max(window_start) FROM {windows} GROUP BY device_id)
  AND status_error > 0
