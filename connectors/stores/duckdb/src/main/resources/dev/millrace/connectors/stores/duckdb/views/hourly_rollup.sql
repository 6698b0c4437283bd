SELECT
  w.device_id AS device_id,
  w.window_start // 3600000 * 3600000 AS hour,
  count(*) AS windows,
  sum(w.readings)::BIGINT AS readings,
  min(w.temperature_min) AS temperature_min, max(w.temperature_max) AS temperature_max, sum(w.temperature_sum) / sum(w.readings) AS temperature_mean,
  min(w.humidity_min) AS humidity_min, max(w.humidity_max) AS humidity_max, sum(w.humidity_sum) / sum(w.readings) AS humidity_mean,
  min(w.pressure_min) AS pressure_min, max(w.pressure_max) AS pressure_max, sum(w.pressure_sum) / sum(w.readings) AS pressure_mean,
  min(w.co2_min) AS co2_min, max(w.co2_max) AS co2_max, sum(w.co2_sum) / sum(w.readings) AS co2_mean,
  min(w.noise_min) AS noise_min, max(w.noise_max) AS noise_max, sum(w.noise_sum) / sum(w.readings) AS noise_mean,
  min(w.light_min) AS light_min, max(w.light_max) AS light_max, sum(w.light_sum) / sum(w.readings) AS light_mean,
  min(w.battery_min) AS battery_min, max(w.battery_max) AS battery_max, sum(w.battery_sum) / sum(w.readings) AS battery_mean,
  min(w.signal_strength_min) AS signal_strength_min, max(w.signal_strength_max) AS signal_strength_max, sum(w.signal_strength_sum) / sum(w.readings) AS signal_strength_mean,
  sum(w.error_count)::BIGINT AS error_count
FROM windows AS w
GROUP BY 1, 2
