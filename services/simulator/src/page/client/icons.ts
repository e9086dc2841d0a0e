import { html, svg, type TemplateResult } from 'lit-html'

/** Paths of 24 × 24 px, drawn with a stroke. */
const paths = {
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  send: 'M4 5l17 7-17 7 3-7zM7 12h6',
  mic: 'M12 4a2.5 2.5 0 0 0-2.5 2.5v5a2.5 2.5 0 0 0 5 0v-5A2.5 2.5 0 0 0 12 4zM6 11a6 6 0 0 0 12 0M12 17v3.5',
  beside: 'M4 6h6v12H4zM14 6h6v12h-6z',
  down: 'M7 10l5 5 5-5',
  dots: 'M12 5.5v.2M12 12v.2M12 18.5v.2',
  search: 'M10.5 5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M15 15l4.5 4.5',
  person: 'M12 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5',
  people:
    'M9 6a3 3 0 1 0 0 6 3 3 0 0 0 0-6M3 19c.5-3.1 2.9-4.7 6-4.7s5.5 1.6 6 4.7M16 6.5a3 3 0 0 1 0 5.5M18 14.6c1.7.7 2.7 2.2 3 4.4',
  phone: 'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15a1.5 1.5 0 0 1-1.5 1.5H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3M11 18h2',
  tools: 'M5 7h9M18 7h1M5 12h1M10 12h9M5 17h7M16 17h3M16 5v4M8 10v4M14 15v4',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  film: 'M4 6h16v12H4zM10 9.5v5l4.5-2.5z',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
  place: 'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  reply: 'M9 7L4 12l5 5M4 12h9a6 6 0 0 1 6 6',
  edit: 'M5 19l1-4L16 5l3 3L9 18z',
  trash: 'M5 7h14M9 7V4.5h6V7M7 7l1 13h8l1-13M10.5 10.5v6M13.5 10.5v6',
  link: 'M14 5h5v5M19 5l-8 8M17 13v6H5V7h6',
  list: 'M8 7h12M8 12h12M8 17h12M4 7h.01M4 12h.01M4 17h.01',
  form: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h4',
  copy: 'M8 8h11v12H8zM5 16V4h11',
  call: 'M6 4h3l1.5 4-2 1.5a11 11 0 0 0 6 6l1.5-2 4 1.5v3a2 2 0 0 1-2 2A15 15 0 0 1 4 6a2 2 0 0 1 2-2z',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.5l3 2',
  alert: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v5M12 16h.01',
  check: 'M4.5 12.5l4.5 4.5L19.5 6.5',
  checks: 'M1.5 12.5L6 17 15.5 7M10.5 15l2 2L22 7',
  forward: 'M14 7l5 5-5 5M19 12h-9a6 6 0 0 0-6 6',
  back: 'M15 5l-7 7 7 7',
} as const
export type IconName = keyof typeof paths

/** Draws an icon; its meaning is in the name of its button, or in the text beside it. */
export const icon = (name: IconName, size = 20): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" width=${size} height=${size} aria-hidden="true" fill="none" stroke="currentColor" stroke-width=${name === 'dots' ? 3 : 1.75} stroke-linecap="round" stroke-linejoin="round">${svg`<path d=${paths[name]} />`}</svg>`
