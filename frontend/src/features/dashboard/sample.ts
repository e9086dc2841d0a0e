import type { ActivityItem, Dashboard, Series, Stat } from '@parley/contracts/dashboard'
import { creditsRemaining } from './credits.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

const samples: Readonly<Record<keyof Dashboard['stats'], readonly number[]>> = {
  totalMessages: [702, 768, 731, 655, 690, 846, 881, 902, 864, 798, 921, 968, 1014, 1046],
  activeCampaigns: [1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 2, 2, 3, 3],
  creditsRemaining: [
    23_410, 23_060, 22_640, 22_310, 21_920, 21_580, 21_190, 20_770, 20_420, 20_050, 19_630, 19_240, 18_830, 18_420,
  ],
  responseRate: [90.8, 91.4, 91.1, 92, 91.7, 92.4, 92.9, 92.2, 93.1, 93.4, 92.8, 93.7, 93.9, 94.2],
}

const activity: readonly (Omit<ActivityItem, 'id' | 'at'> & { minutesAgo: number })[] = [
  { kind: 'message', text: 'New message received', object: { id: 'contact-1', name: 'Priya Sharma' }, minutesAgo: 2 },
  { kind: 'campaign', text: 'Campaign completed', object: { id: 'campaign-1', name: 'Summer sale' }, minutesAgo: 18 },
  {
    kind: 'error',
    text: 'Unable to deliver message',
    object: { id: 'contact-2', name: 'Rahul Verma' },
    minutesAgo: 47,
  },
  { kind: 'bot', text: 'Bot resolved a conversation', object: { id: 'bot-1', name: 'Order status' }, minutesAgo: 95 },
  { kind: 'message', text: 'New message received', object: { id: 'contact-3', name: 'Ananya Iyer' }, minutesAgo: 190 },
  {
    kind: 'campaign',
    text: 'Campaign scheduled',
    object: { id: 'campaign-2', name: 'Weekend offer' },
    minutesAgo: 420,
  },
  { kind: 'bot', text: 'Bot handed over to a person', object: { id: 'bot-2', name: 'Welcome' }, minutesAgo: 1_130 },
]

/** The dashboard of a workspace with sample data (specification section 2), as if it had been read at `now`. */
export function sampleDashboard(now: Date): Dashboard {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const credits = { used: 6_580, limit: 25_000, resetsAt: before(-12 * dayMs) }
  const stat = (metric: keyof Dashboard['stats'], value: number, trend: Stat['trend']): Stat => ({
    value,
    trend,
    series: daily(metric, before),
  })
  return {
    stats: {
      totalMessages: stat('totalMessages', 12_486, { change: 12.5, unit: 'percent', since: 'last_month' }),
      activeCampaigns: stat('activeCampaigns', 3, { change: 1, unit: 'count', since: 'last_week' }),
      creditsRemaining: stat('creditsRemaining', creditsRemaining(credits), {
        change: -410,
        unit: 'count',
        since: 'yesterday',
      }),
      responseRate: stat('responseRate', 94.2, { change: 2.1, unit: 'points', since: 'last_month' }),
    },
    credits,
    activity: activity.map(({ minutesAgo, ...item }, index) => ({
      ...item,
      id: `activity-${index + 1}`,
      at: before(minutesAgo * minuteMs),
    })),
  }
}

/** The same workspace before anything has happened in it. */
export function emptyDashboard(now: Date): Dashboard {
  const { credits } = sampleDashboard(now)
  const stat = (metric: string, value: number): Stat => ({
    value,
    trend: { change: 0, unit: 'count', since: 'yesterday' },
    series: { metric, bucket: 'day', points: [] },
  })
  return {
    stats: {
      totalMessages: stat('totalMessages', 0),
      activeCampaigns: stat('activeCampaigns', 0),
      creditsRemaining: stat('creditsRemaining', credits.limit),
      responseRate: stat('responseRate', 0),
    },
    credits: { ...credits, used: 0 },
    activity: [],
  }
}

function daily(metric: keyof Dashboard['stats'], before: (ms: number) => string): Series {
  const values = samples[metric]
  const points = values.map((value, index) => ({ at: before((values.length - 1 - index) * dayMs), value }))
  return { metric, bucket: 'day', points }
}
