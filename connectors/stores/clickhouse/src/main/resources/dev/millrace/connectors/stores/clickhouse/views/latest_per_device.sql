SELECT * FROM {windows}
WHERE (device_id, window_start) IN (SELECT device_id, max(window_start) FROM {windows} GROUP BY device_id)
ORDER BY device_id, readings DESC
LIMIT 1 BY device_id
SETTINGS final = 0
