(function () {
  'use strict';

  const { TEXT, MUTED, GRID, LINE, PAGE, FONT, DASHES, number, short, axis, base, legend, theme } = house;

  const SYMBOLS = ['circle', 'diamond', 'triangle', 'arrow', 'pin'];
  const FLOOR_DASH = [1, 2.5];
  const COLOURS = 5;
  const PARTS = 5;
  const NARROW = 560;
  const PAPER = 680;

  const drawings = JSON.parse(document.getElementById('drawings').textContent);
  const compared = drawings.subjects.filter((subject) => !subject.floor).map((subject) => subject.name);
  const encoded = echarts.format.encodeHTML;

  function look(subject) {
    const index = compared.indexOf(subject);
    return index < 0
      ? { colour: 'var(--floor)', dash: FLOOR_DASH, symbol: 'rect' }
      : {
          colour: 'var(--subject-' + (index % COLOURS) + ')',
          dash: DASHES[index % DASHES.length],
          symbol: SYMBOLS[index % SYMBOLS.length],
        };
  }

  /** One line for each run; runs of a subject have its name, so the legend switches them together. */
  function lines(all, points, isMarked) {
    return all.map((line, index) => {
      const style = look(line.subject);
      return {
        type: 'line',
        id: line.run,
        name: line.subject,
        data: points(line),
        symbol: style.symbol,
        showSymbol: true,
        showAllSymbol: true,
        symbolSize: (value, parameters) => (isMarked(parameters.dataIndex, line, index) ? 6 : 0),
        itemStyle: { color: style.colour, borderWidth: 0 },
        lineStyle: { color: style.colour, width: 1.5, type: style.dash, opacity: 0.85 },
        emphasis: { disabled: true },
      };
    });
  }

  function subjectsOf(all) {
    const there = new Set(all.map((line) => line.subject));
    return drawings.subjects.map((subject) => subject.name).filter((name) => there.has(name));
  }

  function rows(parameters, heading, value) {
    const body = parameters
      .filter((one) => one.seriesId && one.value && one.value[1] !== null)
      .map((one) => one.marker + encoded(one.seriesId) + ' <b>' + encoded(value(one.value)) + '</b>');
    return [encoded(heading)].concat(body).join('<br>');
  }

  function times(data, width) {
    const subjects = subjectsOf(data.lines);
    const longest = Math.max.apply(null, data.lines.map((line) => line.points.length));
    const marks = Math.max(1, Math.round(longest / 8));
    const series = lines(
      data.lines,
      (line) => line.points,
      (point, line, index) => point % marks === Math.round((index * marks) / data.lines.length) % marks
    );
    series.push({
      type: 'line',
      name: 'phases',
      data: [],
      silent: true,
      markArea: {
        silent: true,
        label: { color: MUTED, fontFamily: FONT, fontSize: 12, position: 'top', distance: 5 },
        data: data.phases.map((phase, index) => [
          { name: phase.name, xAxis: phase.from, itemStyle: { color: index % 2 ? 'transparent' : 'var(--shade)' } },
          { xAxis: phase.to },
        ]),
      },
    });
    return {
      height: 338,
      option: base({
        legend: legend(subjects),
        grid: { left: 4, right: 18, top: 74, bottom: 28, containLabel: true },
        tooltip: {
          trigger: 'axis',
          formatter: (all) => rows(all, 'second ' + number(all[0].axisValue), (value) => number(value[1]) + ' ' + data.unit),
        },
        xAxis: axis({
          type: 'value',
          name: 'seconds',
          nameLocation: 'middle',
          nameGap: 28,
          max: data.seconds,
          splitLine: { show: false },
          splitNumber: width < NARROW ? 4 : 10,
          minInterval: 1,
        }),
        yAxis: axis({
          type: 'value',
          name: data.unit,
          nameGap: 27,
          nameTextStyle: { color: MUTED, fontFamily: FONT, fontSize: 12, align: 'left' },
          min: 0,
          axisLine: { show: false },
          axisLabel: { color: MUTED, fontFamily: FONT, fontSize: 12, formatter: short },
        }),
        series: series,
      }),
    };
  }

  /** Where a quantile is on the axis: 90 % at 1, 99 % at 2, 99.9 % at 3. */
  function nines(quantile) {
    return -Math.log10(1 - quantile);
  }

  function percentOf(place) {
    const places = Math.max(0, place - 2);
    return (100 * (1 - Math.pow(10, -place))).toFixed(places) + ' %';
  }

  /** A quantile with the places that tell it from 100 %. */
  function share(quantile) {
    const places = quantile < 1 ? Math.max(0, Math.ceil(nines(quantile) - 1e-9) - 1) : 0;
    return (quantile * 100).toLocaleString('en-US', { maximumFractionDigits: places }) + ' %';
  }

  function percentiles(data, width) {
    const subjects = subjectsOf(data.lines);
    const last = Math.max.apply(
      null,
      data.lines.map((line) => (line.points.length ? nines(line.points[line.points.length - 1][0]) : 0))
    );
    const marked = (line) => {
      const found = new Set();
      [0.5, 0.9, 0.99, 0.999, 0.9999].forEach((quantile) => {
        found.add(line.points.findIndex((point) => point[0] >= quantile));
      });
      return found;
    };
    const marks = data.lines.map(marked);
    const series = lines(
      data.lines,
      (line) => line.points.map((point) => [nines(point[0]), point[1], point[0]]),
      (point, line, index) => marks[index].has(point)
    );
    series.push({
      type: 'line',
      name: 'half',
      data: [],
      silent: true,
      markLine: {
        silent: true,
        symbol: 'none',
        lineStyle: { color: GRID, type: 'solid', width: 1 },
        label: { color: MUTED, fontFamily: FONT, fontSize: 12, position: 'start', distance: 8, formatter: '50 %' },
        data: [{ xAxis: nines(0.5) }],
      },
    });
    return {
      height: 400,
      option: base({
        legend: legend(subjects),
        grid: { left: 4, right: 34, top: 62, bottom: 28, containLabel: true },
        tooltip: {
          trigger: 'item',
          formatter: (one) =>
            one.value
              ? rows([one], share(one.value[2]) + ' of readings', (value) => number(value[1]) + ' ms')
              : '',
        },
        xAxis: axis({
          type: 'value',
          name: width < NARROW ? 'share of readings' : 'share of readings that took at most so long',
          nameLocation: 'middle',
          nameGap: 28,
          min: 0,
          max: Math.max(1, Math.ceil(last * 10) / 10),
          interval: 1,
          axisLabel: {
            color: MUTED,
            fontFamily: FONT,
            fontSize: 12,
            hideOverlap: true,
            formatter: (place) => (place > 0 && Number.isInteger(place) ? percentOf(place) : ''),
          },
        }),
        yAxis: axis({
          type: 'log',
          name: 'ms',
          nameGap: 12,
          nameTextStyle: { color: MUTED, fontFamily: FONT, fontSize: 12, align: 'left' },
          axisLine: { show: false },
          minorTick: { show: false },
          minorSplitLine: { show: true, lineStyle: { color: GRID, opacity: 0.6 } },
          axisLabel: { color: MUTED, fontFamily: FONT, fontSize: 12, formatter: number },
        }),
        series: series,
      }),
    };
  }

  /** Text in which the library finds no markup of its own. */
  function plain(text) {
    return text.replace(/[{}|]/g, ' ');
  }

  /** Steps of a ratio's axis: all are the same factor, so that a half is as far from 1 as the double. */
  function ratioStep(reach, most) {
    return [1.02, 1.05, 1.1, 1.25, 1.5, 2, 4, 10, 100, 1e4].find((step) => reach / Math.log(step) <= most) || 1e8;
  }

  function ratios(data, width) {
    const narrow = width < NARROW;
    const ends = data.intervals.flatMap((one) => one.bounds.concat(one.ratio)).map((ratio) => Math.log(ratio) * 1.05);
    const least = Math.min.apply(null, ends);
    const most = Math.max.apply(null, ends);
    const step = Math.log(ratioStep(Math.max(-least, most), narrow ? 2 : 5));
    const names = data.intervals.map((one) => one.figure);
    const outcomes = [data.a, data.b].map((subject) => ({
      name: subject + ' is better',
      better: subject,
      symbol: look(subject).symbol,
      style: { color: look(subject).colour, opacity: 1 },
    }));
    outcomes.push({
      name: 'neither is shown to be',
      better: '',
      symbol: 'circle',
      style: { color: PAGE, borderColor: MUTED, borderWidth: 2, opacity: 1 },
    });
    const colour = (one) => (one.better ? look(one.better).colour : MUTED);
    const series = data.intervals.map((one, row) => ({
      type: 'line',
      name: 'interval of ' + one.figure,
      silent: true,
      data: one.bounds.map((bound) => [Math.log(bound), row]),
      symbol: 'rect',
      symbolSize: [2, 11],
      itemStyle: { color: colour(one) },
      lineStyle: { color: colour(one), width: 2.5, type: 'solid' },
      emphasis: { disabled: true },
    }));
    outcomes.forEach((outcome) => {
      series.push({
        type: 'scatter',
        name: outcome.name,
        data: data.intervals
          .map((one, row) => (one.better === outcome.better ? [Math.log(one.ratio), row] : null))
          .filter((point) => point !== null),
        symbol: outcome.symbol,
        symbolSize: (point) => (data.intervals[point[1]].decides ? 15 : 11),
        itemStyle: outcome.style,
        emphasis: { disabled: true },
        z: 4,
      });
    });
    const key = legend(outcomes.map((outcome) => outcome.name));
    key.selectedMode = false;
    key.itemWidth = 12;
    key.itemHeight = 12;
    series[0].markLine = {
      silent: true,
      symbol: 'none',
      animation: false,
      label: { show: false },
      lineStyle: { color: TEXT, type: 'solid', width: 1 },
      data: [{ xAxis: 0 }],
    };
    const labelWidth = narrow ? 128 : Math.min(360, Math.round(width * 0.36));
    return {
      height: (narrow ? 132 : 92) + data.intervals.length * (narrow ? 46 : 36),
      option: base({
        legend: key,
        grid: { left: labelWidth + 12, right: 22, top: narrow ? 84 : 44, bottom: 44 },
        tooltip: {
          trigger: 'item',
          formatter: (parameters) => {
            const one = data.intervals[parameters.value[1]];
            return (
              encoded(one.figure) + '<br><b>' + one.ratio.toFixed(3) + '</b>' +
              (one.bounds.length ? ' (' + one.bounds[0].toFixed(3) + ' to ' + one.bounds[1].toFixed(3) + ')' : '')
            );
          },
        },
        xAxis: axis({
          type: 'value',
          name: narrow ? data.b + ' / ' + data.a : data.b + ' / ' + data.a + ', each step the same factor',
          nameLocation: 'middle',
          nameGap: 28,
          min: Math.min(-1, Math.floor(least / step)) * step,
          max: Math.max(1, Math.ceil(most / step)) * step,
          interval: step,
          axisLabel: {
            color: MUTED,
            fontFamily: FONT,
            fontSize: 12,
            hideOverlap: true,
            formatter: (place) => (Math.abs(place) < 1e-9 ? '1' : number(Math.exp(place))),
          },
        }),
        yAxis: axis({
          type: 'category',
          inverse: true,
          data: names,
          axisLine: { show: false },
          splitLine: { show: false },
          axisLabel: {
            fontFamily: FONT,
            interval: 0,
            width: labelWidth,
            overflow: 'break',
            margin: labelWidth + 8,
            align: 'left',
            color: TEXT,
            fontSize: narrow ? 11 : 13,
            lineHeight: narrow ? 14 : 16,
            formatter: (name, row) => (data.intervals[row].decides ? '{decides|' + plain(name) + '}' : name),
            rich: {
              decides: {
                color: TEXT,
                fontSize: narrow ? 11 : 13,
                lineHeight: narrow ? 14 : 16,
                fontWeight: 'bold',
                fontFamily: FONT,
              },
            },
          },
        }),
        series: series,
      }),
    };
  }

  function bars(data, width) {
    const stacked = data.sums.length > 0;
    const names = data.parts.map((part) => part.name);
    const series = data.parts.map((part, index) => ({
      type: 'bar',
      name: part.name,
      stack: stacked ? 'all' : undefined,
      data: part.values,
      barMaxWidth: stacked ? 34 : 20,
      barGap: '12%',
      itemStyle: {
        color: 'var(--part-' + (index % PARTS) + ')',
        borderColor: 'var(--part-edge)',
        borderWidth: 1,
      },
      emphasis: { disabled: true },
      label: {
        show: !stacked,
        position: 'right',
        color: TEXT,
        fontFamily: FONT,
        fontSize: 12,
        formatter: (one) => (one.value === null || one.value === undefined ? '' : number(one.value)),
      },
    }));
    if (stacked) {
      // A bar without length carries the sum's label, at the end of the stack.
      series.push({
        type: 'bar',
        name: 'sum',
        stack: 'all',
        silent: true,
        data: data.sums.map(() => 0),
        itemStyle: { color: 'transparent' },
        label: {
          show: true,
          position: 'right',
          color: TEXT,
          fontFamily: FONT,
          fontSize: 12,
          fontWeight: 'bold',
          formatter: (one) => (data.sums[one.dataIndex] === null ? 'a part is not known' : number(data.sums[one.dataIndex])),
        },
      });
    }
    const entries = legend(names);
    entries.itemWidth = 14;
    entries.itemHeight = 14;
    entries.itemGap = 16;
    entries.itemStyle = { borderColor: MUTED, borderWidth: 1 };
    return {
      height: 112 + data.subjects.length * (stacked ? 52 : 58),
      option: base({
        legend: entries,
        grid: { left: 4, right: 56, top: 38, bottom: 28, containLabel: true },
        tooltip: {
          trigger: 'item',
          formatter: (one) =>
            encoded(data.subjects[one.dataIndex]) + ', ' + encoded(one.seriesName) + '<br><b>' + number(one.value) +
            '</b> ' + encoded(data.unit),
        },
        xAxis: axis({
          type: 'value',
          name: data.unit,
          nameLocation: 'middle',
          nameGap: 28,
          min: 0,
          splitNumber: width < NARROW ? 3 : 5,
          axisLine: { show: false },
        }),
        yAxis: axis({
          type: 'category',
          inverse: true,
          data: data.subjects,
          splitLine: { show: false },
          axisLabel: { color: TEXT, fontFamily: FONT, fontSize: 13 },
        }),
        series: series,
      }),
    };
  }

  function clocks(data, width) {
    const narrow = width < NARROW;
    const names = data.distances.map((one) => one.name);
    const bars = data.distances.map((one, row) => ({
      type: 'line',
      name: 'error of ' + one.name,
      silent: true,
      data: [[one.low, row], [one.high, row]],
      symbol: 'rect',
      symbolSize: [2, 11],
      itemStyle: { color: look(one.subject).colour },
      lineStyle: { color: look(one.subject).colour, width: 2.5, type: 'solid' },
      emphasis: { disabled: true },
    }));
    const marks = data.distances.map((one, row) => ({
      type: 'scatter',
      name: one.subject,
      data: [[one.offset, row]],
      symbol: look(one.subject).symbol,
      symbolSize: 11,
      itemStyle: { color: look(one.subject).colour, opacity: 1 },
      emphasis: { disabled: true },
      z: 4,
    }));
    bars[0].markLine = {
      silent: true,
      symbol: 'none',
      animation: false,
      label: { show: false },
      lineStyle: { color: TEXT, type: 'solid', width: 1 },
      data: [{ xAxis: 0 }],
    };
    const labelWidth = narrow ? 128 : Math.min(360, Math.round(width * 0.36));
    const key = legend(Array.from(new Set(data.distances.map((one) => one.subject))));
    key.selectedMode = false;
    return {
      height: (narrow ? 110 : 92) + names.length * (narrow ? 46 : 30),
      option: base({
        legend: key,
        grid: { left: labelWidth + 12, right: 22, top: 44, bottom: 44 },
        tooltip: {
          trigger: 'item',
          formatter: (parameters) => {
            const one = data.distances[parameters.value[1]];
            return (
              encoded(one.name) + '<br><b>' + one.offset.toFixed(3) + ' ms</b> (' + one.low.toFixed(3) + ' to ' +
              one.high.toFixed(3) + ')'
            );
          },
        },
        xAxis: axis({ type: 'value', name: 'ms', nameLocation: 'middle', nameGap: 28 }),
        yAxis: axis({
          type: 'category',
          inverse: true,
          data: names,
          axisLine: { show: false },
          splitLine: { show: false },
          axisLabel: {
            fontFamily: FONT,
            interval: 0,
            width: labelWidth,
            overflow: 'break',
            margin: labelWidth + 8,
            align: 'left',
            color: TEXT,
            fontSize: narrow ? 11 : 13,
          },
        }),
        series: bars.concat(marks),
      }),
    };
  }

  const KINDS = { times: times, percentiles: percentiles, ratios: ratios, bars: bars, clocks: clocks };
  const charts = [];

  function draw(chart, width) {
    const drawing = chart.drawing;
    const made = KINDS[drawing.kind](drawing.data, width);
    chart.element.style.height = made.height + 'px';
    if (!chart.drawn) {
      chart.drawn = echarts.init(chart.element, null, { renderer: 'svg', width: width, height: made.height });
    } else {
      chart.drawn.resize({ width: width, height: made.height });
    }
    chart.drawn.setOption(made.option, true);
    // Not with the next frame: paper does not wait for one.
    chart.drawn.getZr().refreshImmediately();
  }

  function begin(element) {
    const chart = { element: element, drawing: drawings.charts[element.dataset.chart], width: 0 };
    try {
      element.style.display = 'block';
      chart.width = element.clientWidth;
      draw(chart, chart.width);
      charts.push(chart);
    } catch (failure) {
      element.classList.add('failed');
      element.textContent = 'This chart could not be drawn; its numbers are in the table below.';
      console.error(failure);
    }
  }

  function fit() {
    charts.forEach((chart) => {
      const width = chart.element.clientWidth;
      if (width > 0 && width !== chart.width) {
        chart.width = width;
        draw(chart, width);
      }
    });
  }

  theme();
  document.querySelectorAll('.chart').forEach(begin);
  let asked = 0;
  window.addEventListener('resize', () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(fit);
  });
  window.addEventListener('beforeprint', () => charts.forEach((chart) => draw(chart, PAPER)));
  window.addEventListener('afterprint', () => charts.forEach((chart) => draw(chart, chart.width)));
})();
