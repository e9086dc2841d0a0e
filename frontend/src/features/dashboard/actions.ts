interface Action {
  readonly label: string
  readonly to: string
}

export interface QuickAction extends Action {
  readonly hint: string
  readonly icon: 'campaign' | 'bot' | 'contacts' | 'analytics'
}

/** Actions in the head of the page. */
export const headerActions: readonly Action[] = [
  { label: 'View Reports', to: '/analytics' },
  { label: 'Send Message', to: '/conversations?new=1' },
]

export const quickActions: readonly QuickAction[] = [
  { label: 'Create Campaign', hint: 'Message many people at once', to: '/broadcasts?new=1', icon: 'campaign' },
  { label: 'Configure Bot', hint: 'Answer routine questions', to: '/bots', icon: 'bot' },
  { label: 'Import Contacts', hint: 'Upload CSV', to: '/contacts?import=1', icon: 'contacts' },
  { label: 'View Analytics', hint: 'See what works', to: '/analytics', icon: 'analytics' },
]
