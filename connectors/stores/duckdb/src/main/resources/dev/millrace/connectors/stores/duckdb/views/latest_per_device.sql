SELECT * FROM windows
QUALIFY row_number() OVER (PARTITION BY device_id ORDER BY window_start DESC) = 1
