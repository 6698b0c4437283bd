SELECT * FROM {windows} FINAL
WHERE (device_id, window_start) IN (SELECT device_id, max(window_start) FROM {windows} GROUP BY device_id)
