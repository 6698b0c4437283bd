(function () {
  'use strict';

  const { MUTED, FONT, DASHES, number, short, axis, base, legend, theme } = house;

  const EVERY = 2000;
  /** Nobody sees it: the lines stay, at less cost for the stack. */
  const EVERY_UNSEEN = 30000;
  /** After the first, the second ... question that nobody answered. */
  const WAITS = [2000, 4000, 8000, 15000];
  const ANSWER = 10000;
  const KEPT = 600000;
  const SHORTEST = 60000;
  /** A line is broken where less was known. */
  const GAP = 45000;
  const RATE_OVER = 5000;
  const DAY = 86400000;
  const NARROW = 480;
  /** What one name takes of a chart's width. */
  const LEGEND = 110;
  const PROCESSES = ['broker', 'store', 'jobmanager', 'taskmanager', 'generator', 'supervisor'];

  const encoded = echarts.format.encodeHTML;
  const at = (id) => document.getElementById(id);
  const points = [];
  let silentSince = 0;
  let failures = 0;
  let timer = 0;
  let asking = false;

  function text(id, value) {
    const element = at(id);
    // Untouched, so that what is selected stays so and nobody is read the same again.
    if (element.textContent !== value) {
      element.textContent = value;
    }
  }

  const known = (value) => value !== null && value !== undefined;
  const count = (value) => (known(value) ? Math.round(value).toLocaleString('en-US') : '-');
  const brief = (value) => (!known(value) ? '-' : Math.abs(value) < 1e7 ? count(value) : short(value));
  const clock = (millis) => new Date(millis).toLocaleTimeString('en-GB');

  /** A span as a number and its unit. */
  function span(millis) {
    if (!known(millis)) {
      return ['-', ''];
    }
    return millis < 1000
      ? [number(millis), 'ms']
      : millis < 120000
        ? [millis < 10000 ? (millis / 1000).toFixed(1) : count(millis / 1000), 's']
        : millis < 7200000
          ? [count(millis / 60000), 'min']
          : [count(millis / 3600000), 'h'];
  }

  function say(state, word, message) {
    at('state').dataset.state = state;
    text('word', word);
    text('message', message);
    document.title = word + ' · ' + at('broker').textContent + ' · Millrace';
  }

  function sends(look) {
    const p99 = span(look.sendP99Millis);
    text('send', p99[0]);
    text('send-unit', p99[1]);
    text(
      'send-note',
      look.paced === false
        ? 'not paced'
        : known(look.sendP99Millis)
          ? 'since the last look; p50 ' + span(look.sendP50Millis).join(' ')
          : look.paced
            ? 'nothing sent since the last look'
            : 'not known at the moment'
    );
  }

  function audit(said, lookedAt) {
    at('audit-tile').dataset.equal = known(said) ? said.equal : '';
    text('audit', !known(said) ? '-' : said.equal ? 'equal' : 'not equal');
    text(
      'audit-note',
      !known(said)
        ? 'never asked'
        : when(Date.parse(said.auditedAt), lookedAt) +
            (said.equal ? ', ' + brief(said.rowsChecked) + ' rows checked' : ': ' + said.sentence)
    );
  }

  function benchmark(said, lookedAt) {
    const left = (end) => {
      const millis = Date.parse(end) - lookedAt;
      return millis <= 0 ? 'about to end' : (millis < 120000 ? Math.ceil(millis / 1000) + ' s' : span(millis).join(' ')) + ' left';
    };
    at('benchmark').hidden = !known(said);
    text(
      'benchmark',
      !known(said)
        ? ''
        : 'benchmark: run ' + said.run + ' of ' + said.runs + ', ' + said.phase +
            (known(said.phaseEnds) ? ', ' + left(said.phaseEnds) : ', since ' + when(Date.parse(said.phaseBegan), lookedAt)) +
            (known(said.ends) ? '; all runs: ' + left(said.ends) : '')
    );
  }

  function figures(look) {
    const latest = look.latestTimesStored > 0;
    const lookedAt = Date.parse(look.lookedAt);
    const rate = look.rateReadingsPerSecond;
    text('rate', brief(rate));
    text('rate-note', known(look.readingsSent) ? brief(look.readingsSent) + ' readings sent' : 'not known at the moment');
    text('lag', brief(look.lag));
    // The lag may be that of other generators, too; then what was processed of this one's is not known.
    const behind =
      known(look.readingsProcessed) && look.lag > 0 && rate > 0 ? span((look.lag / rate) * 1000) : null;
    text(
      'lag-note',
      (known(look.readingsProcessed) ? brief(look.readingsProcessed) + ' processed' : 'not known at the moment') +
        (behind ? ', ' + behind.join(' ') + ' behind' : '')
    );
    sends(look);
    text('rows-name', latest ? 'Latest times stored' : 'Windows stored');
    text('rows', brief(latest ? look.latestTimesStored : look.windowsStored));
    text('rows-note', latest ? 'of devices and event types' : 'of one device each');
    const end = known(look.lastWindowEnd) ? Date.parse(look.lastWindowEnd) : null;
    const age = end === null ? null : lookedAt - end;
    // Event time may be any: a stack that was told its start has windows of long ago.
    const aged = span(age !== null && age >= 0 && age < DAY ? age : null);
    text('age-name', latest ? 'Newest time' : 'Newest window');
    text('age', aged[0]);
    text('age-unit', aged[1] ? aged[1] + ' old' : '');
    const stored = latest ? look.latestTimesStored : look.windowsStored;
    text('age-note', !known(stored) ? 'not known at the moment' : end === null ? 'none yet' : (latest ? 'as of ' : 'ended ') + when(end, lookedAt));
    text('pressure', known(look.backPressure) ? number(Math.round(look.backPressure * 100)) : '-');
    const checkpoint = span(look.checkpointMillis);
    text('checkpoint', checkpoint[0]);
    text('checkpoint-unit', checkpoint[1]);
    text(
      'checkpoint-note',
      known(look.parallelism) ? 'parallelism ' + look.parallelism + ', ' + count(look.partitions) + ' partitions' : ''
    );
    audit(look.audit, lookedAt);
    benchmark(look.benchmark, lookedAt);
    text('jar', look.jobJarSha256 ? 'Job jar sha256 ' + look.jobJarSha256 + '. ' : '');
  }

  function when(millis, now) {
    return Math.abs(now - millis) < DAY / 2 ? clock(millis) : new Date(millis).toISOString().replace('.000', '');
  }

  function cell(tag, value, kind) {
    const element = document.createElement(tag);
    element.className = kind;
    // Nothing but a web address becomes a link.
    if (/^https?:\/\//.test(value)) {
      const link = document.createElement('a');
      link.href = value;
      link.textContent = value.replace(/^https?:\/\//, '');
      link.rel = 'noreferrer';
      element.append(link);
    } else {
      element.textContent = value;
    }
    return element;
  }

  function processes(look) {
    const names = PROCESSES.filter((name) => known(look.pids[name]) || known(look.urls[name]));
    const rows = names.map((name) => {
      const pid = look.pids[name];
      const own = name === 'broker' && look.foreignBroker;
      const row = document.createElement('tr');
      const head = cell('th', name, '');
      head.scope = 'row';
      row.append(
        head,
        cell('td', known(pid) ? String(pid) : '-', 'number'),
        cell('td', known(look.usedCores[name]) ? look.usedCores[name].toFixed(2) : '-', 'number'),
        cell('td', look.urls[name] || '', 'text'),
        cell('td', look.urls[name + '-metrics'] || '', 'text')
      );
      return row;
    });
    // Only what differs: the reader may be about to follow a link.
    const body = at('rows-of-processes');
    if (body.children.length !== rows.length || rows.some((row, index) => row.children[3].textContent !==
        body.children[index].children[3].textContent || row.children[0].textContent !==
        body.children[index].children[0].textContent)) {
      body.replaceChildren(...rows);
      return;
    }
    rows.forEach((row, index) => {
      [1, 2].forEach((column) => {
        body.children[index].children[column].textContent = row.children[column].textContent;
      });
    });
  }

  /** What the job reads in a second, over the last seconds: the broker's figure of the lag is up to a second old. */
  function processedRate(look, lookedAt) {
    const earlier = points.filter((point) => lookedAt - point.lookedAt >= RATE_OVER).pop();
    if (!earlier || !known(earlier.processed) || !known(look.readingsProcessed) || lookedAt - earlier.lookedAt > GAP) {
      return null;
    }
    const more = look.readingsProcessed - earlier.processed;
    return more < 0 ? null : (more * 1000) / (lookedAt - earlier.lookedAt);
  }

  function keep(look) {
    const lookedAt = Date.parse(look.lookedAt);
    const last = points[points.length - 1];
    if (last && last.lookedAt === lookedAt) {
      return;
    }
    points.push({
      time: Date.now(),
      lookedAt: lookedAt,
      rate: look.rateReadingsPerSecond,
      processed: look.readingsProcessed,
      processedRate: processedRate(look, lookedAt),
      lag: look.lag,
      cores: look.usedCores,
    });
    while (points[0].time < Date.now() - KEPT) {
      points.shift();
    }
  }

  function line(name, index, value, more) {
    const data = [];
    points.forEach((point, place) => {
      if (place > 0 && point.time - points[place - 1].time > GAP) {
        data.push([points[place - 1].time + 1, null]);
      }
      const one = value(point);
      data.push([point.time, known(one) ? one : null]);
    });
    const colour = index < 5 ? 'var(--subject-' + index + ')' : 'var(--floor)';
    const drawn = data.filter((one) => one[1] !== null).length;
    return Object.assign(
      {
        type: 'line',
        id: name,
        name: name,
        data: data,
        // A line of one point is none.
        showSymbol: drawn < 3,
        symbol: 'circle',
        symbolSize: 5,
        itemStyle: { color: colour, borderWidth: 0 },
        lineStyle: { color: colour, width: 2, type: DASHES[index % DASHES.length] },
        emphasis: { disabled: true },
      },
      more
    );
  }

  function drawing(series, unit, format, width, interval) {
    const end = points.length ? points[points.length - 1].time : Date.now();
    const begin = points.length ? Math.min(points[0].time, end - SHORTEST) : end - SHORTEST;
    const names = series.map((one) => one.name);
    const rows = Math.ceil(names.length / Math.max(1, Math.floor(width / LEGEND)));
    const key = Object.assign(legend(names), { itemWidth: 26, itemGap: width < NARROW ? 12 : 18 });
    return {
      height: 230 + rows * 24,
      option: base({
        legend: key,
        grid: { left: 4, right: 30, top: 34 + rows * 24, bottom: 4, containLabel: true },
        tooltip: {
          trigger: 'axis',
          formatter: (all) =>
            [encoded(clock(all[0].axisValue))]
              .concat(
                all
                  .filter((one) => known(one.value[1]))
                  .map((one) => one.marker + encoded(one.seriesName) + ' <b>' + format(one.value[1]) + '</b>')
              )
              .join('<br>'),
        },
        xAxis: axis({
          type: 'time',
          min: begin,
          max: end,
          splitLine: { show: false },
          splitNumber: width < NARROW ? 2 : 4,
          axisLabel: {
            color: MUTED,
            fontFamily: FONT,
            fontSize: 12,
            hideOverlap: true,
            showMinLabel: false,
            showMaxLabel: false,
            formatter: (millis) => (end - begin > 240000 ? clock(millis).slice(0, 5) : clock(millis)),
          },
        }),
        yAxis: axis({
          type: 'value',
          name: unit,
          nameGap: 14,
          nameTextStyle: { color: MUTED, fontFamily: FONT, fontSize: 12, align: 'left' },
          min: 0,
          splitNumber: 4,
          minInterval: interval,
          axisLine: { show: false },
          axisLabel: { color: MUTED, fontFamily: FONT, fontSize: 12, formatter: short },
        }),
        series: series,
      }),
    };
  }

  const DRAWINGS = {
    rate: (width) =>
      drawing(
        [line('sent', 0, (point) => point.rate), line('processed', 1, (point) => point.processedRate)],
        'readings/s',
        count,
        width,
        1
      ),
    lag: (width) =>
      drawing(
        [line('lag', 0, (point) => point.lag, { areaStyle: { color: 'var(--shade)', opacity: 1 } })],
        'readings',
        count,
        width,
        1
      ),
    cores: (width) =>
      drawing(
        PROCESSES.map((name, index) => line(name, index, (point) => point.cores[name])).filter((one) =>
          one.data.some((point) => point[1] !== null)
        ),
        'cores',
        (value) => value.toFixed(2),
        width,
        0.01
      ),
  };
  const charts = {};

  function draw(element) {
    const name = element.dataset.chart;
    try {
      element.style.display = 'block';
      const width = element.clientWidth;
      if (width === 0) {
        return;
      }
      const made = DRAWINGS[name](width);
      element.style.height = made.height + 'px';
      if (!charts[name]) {
        charts[name] = echarts.init(element, null, { renderer: 'svg', width: width, height: made.height });
      } else {
        charts[name].resize({ width: width, height: made.height });
      }
      charts[name].setOption(made.option, { replaceMerge: ['series'] });
    } catch (failure) {
      element.classList.add('failed');
      element.textContent = 'This chart could not be drawn; its numbers are in the text.';
      console.error(failure);
    }
  }

  function drawAll() {
    if (!document.hidden && points.length) {
      document.querySelectorAll('.chart:not(.failed)').forEach(draw);
    }
  }

  function show(look) {
    text('broker', look.broker);
    text('version', [look.brokerVersion, look.foreignBroker ? 'your own' : ''].filter((one) => one).join(', '));
    say(look.state, look.state, look.message || '');
    document.body.classList.remove('stale');
    text('updated', 'Updated ' + clock(Date.now()));
    keep(look);
    figures(look);
    processes(look);
    drawAll();
  }

  function silent() {
    silentSince = silentSince || Date.now();
    failures++;
    document.body.classList.add('stale');
    // Its run may be what has ended.
    at('benchmark').hidden = true;
    say('silent', 'no answer', 'since ' + clock(silentSince) + ': the stack, or only its supervisor, is down. Trying again.');
    return WAITS[Math.min(failures, WAITS.length) - 1];
  }

  /** Shows what there is to show; returns after how many milliseconds to ask again. */
  async function look() {
    let answer;
    let said;
    try {
      answer = await fetch('look.json', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER) });
      said = await answer.json();
    } catch (failure) {
      return silent();
    }
    silentSince = 0;
    failures = 0;
    if (answer.ok) {
      show(said);
    } else {
      document.body.classList.add('stale');
      say('unknown', 'not known', said.message || 'the supervisor answers with status ' + answer.status);
    }
    return document.hidden ? EVERY_UNSEEN : EVERY;
  }

  async function turn() {
    if (asking) {
      return;
    }
    clearTimeout(timer);
    asking = true;
    let wait = EVERY;
    try {
      wait = await look();
    } finally {
      asking = false;
      timer = setTimeout(turn, wait);
    }
  }

  let asked = 0;
  window.addEventListener('resize', () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(drawAll);
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) {
      turn();
    }
  });
  theme();
  turn();
})();
