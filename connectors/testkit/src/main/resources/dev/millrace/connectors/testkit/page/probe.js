// Looks at the page as a reader would, and leaves what it saw where --dump-dom shows it.
(function () {
  'use strict';
  const after = Number(document.currentScript.dataset.after);
  const broken = [];
  window.addEventListener('error', (event) => broken.push(event.message));
  document.addEventListener('securitypolicyviolation', (event) => broken.push('refused: ' + event.blockedURI));

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

  function rgba(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data);
  }

  function luminance(colour) {
    const [red, green, blue] = rgba(colour).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  /** As WCAG 2 has it: from 1 to 21. */
  function contrast(one, other) {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  function behind(element) {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (rgba(colour)[3] > 0) {
        return colour;
      }
    }
    return 'white';
  }

  function texts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const drawn = element.closest('svg') !== null;
      if (walker.currentNode.data.trim() && !element.closest('script') && element.getClientRects().length > 0) {
        const style = getComputedStyle(element);
        found.push({
          text: walker.currentNode.data.trim().slice(0, 40),
          contrast: contrast(drawn ? style.fill : style.color, behind(element)),
        });
      }
    }
    return found;
  }

  function chart(element) {
    const svg = element.querySelector('svg');
    const box = element.getBoundingClientRect();
    const cut = Array.from(element.querySelectorAll('svg text')).filter((text) => {
      const own = text.getBoundingClientRect();
      return own.width > 0 && (own.left < box.left - 1 || own.right > box.right + 1 ||
        own.top < box.top - 1 || own.bottom > box.bottom + 1);
    });
    return {
      id: element.dataset.chart,
      paths: svg ? svg.querySelectorAll('path').length : 0,
      width: svg ? svg.getBoundingClientRect().width : 0,
      cut: cut.map((text) => text.textContent),
    };
  }

  function look() {
    const root = document.documentElement;
    const button = document.getElementById('theme');
    const seen = {
      width: window.innerWidth,
      scrollWidth: root.scrollWidth,
      page: rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3),
      charts: Array.from(document.querySelectorAll('.chart')).map(chart),
      faint: texts().filter((one) => one.contrast < 4.5),
      texts: texts().length,
      text: document.body.innerText,
      button: button.hidden ? '' : button.textContent,
    };
    button.click();
    seen.clicked = rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3);
    seen.faintWhenClicked = texts().filter((one) => one.contrast < 4.5);
    button.click();
    seen.broken = broken;
    if (window.parent === window) {
      root.dataset.seen = JSON.stringify(seen);
    } else {
      window.parent.postMessage(JSON.stringify(seen), '*');
    }
  }

  window.addEventListener('load', () => (after > 0 ? setTimeout(look, after) : look()));
})();
