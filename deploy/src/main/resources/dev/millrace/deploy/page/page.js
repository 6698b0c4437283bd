/** What all pages of the house have. */
const house = (function () {
  'use strict';

  // Colours are names of the style sheet's: a theme, or paper, changes them without drawing again.
  const TEXT = 'var(--text)';
  const MUTED = 'var(--muted)';
  const GRID = 'var(--grid)';
  const LINE = 'var(--line)';
  const PAGE = 'var(--page)';
  const DASHES = ['solid', [7, 4], [2, 3], [10, 3, 2, 3], [14, 4]];
  const FONT = getComputedStyle(document.body).fontFamily;

  function number(value) {
    const size = Math.abs(value);
    const places = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return value.toLocaleString('en-US', { maximumFractionDigits: places });
  }

  function short(value) {
    const size = Math.abs(value);
    return size >= 1e6 ? number(value / 1e6) + ' M' : size >= 1e4 ? number(value / 1e3) + ' k' : number(value);
  }

  function axis(more) {
    return Object.assign(
      {
        nameTextStyle: { color: MUTED, fontFamily: FONT, fontSize: 12 },
        axisLabel: { color: MUTED, fontFamily: FONT, fontSize: 12, hideOverlap: true },
        axisLine: { show: true, lineStyle: { color: LINE } },
        axisTick: { show: false },
        splitLine: { lineStyle: { color: GRID } },
        minorSplitLine: { lineStyle: { color: GRID } },
        axisPointer: { lineStyle: { color: MUTED }, label: { show: false } },
      },
      more
    );
  }

  function base(more) {
    const tooltip = {
      confine: true,
      backgroundColor: PAGE,
      borderColor: LINE,
      textStyle: { color: TEXT, fontFamily: FONT, fontSize: 12 },
    };
    return Object.assign({ animation: false, textStyle: { fontFamily: FONT, color: TEXT } }, more, {
      tooltip: Object.assign(tooltip, more.tooltip),
    });
  }

  function legend(subjects) {
    return {
      data: subjects,
      left: 0,
      top: 0,
      itemWidth: 38,
      itemHeight: 9,
      itemGap: 22,
      textStyle: { color: TEXT, fontFamily: FONT, fontSize: 13 },
      inactiveColor: LINE,
      inactiveBorderColor: LINE,
    };
  }

  function theme() {
    const button = document.getElementById('theme');
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light')) === 'dark';
    const name = () => {
      button.textContent = isDark() ? 'Light' : 'Dark';
      button.setAttribute('aria-label', isDark() ? 'Change to light colours' : 'Change to dark colours');
    };
    button.addEventListener('click', () => {
      document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
      name();
    });
    dark.addEventListener('change', name);
    button.hidden = false;
    name();
  }

  return { TEXT, MUTED, GRID, LINE, PAGE, FONT, DASHES, number, short, axis, base, legend, theme };
})();
