import type { AuditEntry } from './audit-entry.ts'

export const landingSeed: readonly AuditEntry[] = [
  {
    what: 'Landing page: header',
    path: '/',
    controls: [
      { role: 'link', name: 'Features' },
      { role: 'link', name: 'Pricing' },
      { role: 'link', name: 'Docs' },
      { role: 'link', name: 'Sign In' },
      { role: 'link', name: 'Get Started' },
    ],
  },
  {
    what: 'Landing page: hero; 1: the trial',
    path: '/',
    texts: ['14-day free trial, no credit card needed'],
    controls: [
      { role: 'link', name: 'Start Free Trial' },
      { role: 'button', name: 'Watch Demo' },
    ],
  },
  {
    what: 'Landing page: feature and trust cards, footer columns',
    path: '/',
    texts: ['99.9% uptime'],
    controls: [
      ...[
        'Visual Chatbot Builder',
        'Broadcast Campaigns',
        'Real-time Analytics',
        'Contact Management',
        'Template Manager',
        'Workflow Automation',
        'Enterprise Security',
        'Lightning Fast',
        '24/7 Support',
      ].map((name) => ({ role: 'heading' as const, name })),
      ...['Product', 'Resources', 'Company'].map((name) => ({ role: 'navigation' as const, name })),
    ],
  },
  {
    what: 'Pricing',
    path: '/',
    texts: [
      '₹0',
      'for 14 days',
      '1,000 messages',
      'Basic AI chatbot',
      'Email support',
      '₹999',
      '25,000 messages',
      'AI chatbot with training',
      'Priority support',
      'Most popular',
      '₹2,999',
      '100,000 messages',
      '5 team members',
      '₹5,999',
      '200,000 messages',
      '10 team members',
      'Custom AI training',
    ],
    controls: [
      ...['Free Trial', 'Starter', 'Growth', 'Pro'].map((name) => ({ role: 'heading' as const, name })),
      { role: 'link', name: 'Contact Sales' },
    ],
  },
  { what: 'route table: any other path', path: '/no-such-page', texts: ['404 Page Not Found'] },
]
