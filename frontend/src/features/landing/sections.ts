/** Anchors of the page; header and footer link to nothing else on it. */
export const sections = {
  features: 'features',
  demo: 'demo',
  trust: 'trust',
  pricing: 'pricing',
  docs: 'docs',
  questions: 'questions',
} as const
