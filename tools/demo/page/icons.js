const paths = {
  back: 'M15 5l-7 7 7 7',
  more: 'M12 5h.01M12 12h.01M12 19h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  attach:
    'M20 11.500l-8.2 8.200a5 5 0 0 1-7.1-7.100l8.7-8.700a3.4 3.4 0 0 1 4.8 4.800l-8.6 8.600a1.7 1.7 0 0 1-2.4-2.400l7.7-7.7',
  send: 'M4 12L3 4.5 21 12 3 19.5 4 12zm0 0h8',
  down: 'M5 9l7 7 7-7',
  document: 'M13 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V9zm0 0v6h6',
  download: 'M12 4v11m0 0l-4.5-4.500M12 15l4.5-4.500M5 20h14',
  photo: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01',
  sticker: 'M12 3a9 9 0 1 0 9 9c-5 0-9-4-9-9zm0 0l9 9M8.5 14.500c1 1.5 3.5 2 5 .5',
  location:
    'M12 21s7-6.3 7-11.500A7 7 0 0 0 5 9.500C5 14.7 12 21 12 21zm0-9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  voice: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.500V21',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.5 3.8-5.5 7.5-5.500s6.7 2 7.5 5.5',
  people:
    'M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.500c.7-3 3.3-4.8 6.5-4.800s5.8 1.8 6.5 4.800M16 5.300a3.5 3.5 0 0 1 0 6.500M18 15c1.9.8 3.1 2.3 3.5 4.5',
  keyboard: 'M4 6h16v12H4zM8 10h.01M12 10h.01M16 10h.01M8 14h8',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.500V5M12 19v2.500M2.5 12H5M19 12h2.500M5.3 5.300L7 7M17 17l1.7 1.700M18.7 5.300L17 7M7 17l-1.7 1.7',
  moon: 'M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  link: 'M10 14l10-10m0 0h-6m6 0v6M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4',
  check: 'M2.5 12.500l4.5 4.500L16.5 7M10.5 15.500L12 17 21.5 7',
  done: 'M4.5 12.500l5 5L19.5 7',
  message: 'M4 5h16v11H9l-5 4z',
  plus: 'M12 5v14M5 12h14',
  forward: 'M13 5l7 7-7 7v-4.500C8 14.500 5 16 3.500 19c0-6 3-9.500 9.500-10z',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
}

/** @typedef {keyof typeof paths} IconName */

/**
 * A line icon as large as the text around it, hidden from screen readers.
 *
 * @param {IconName} name
 */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', `icon icon-${name}`)
  svg.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', paths[name])
  svg.append(path)
  return svg
}
