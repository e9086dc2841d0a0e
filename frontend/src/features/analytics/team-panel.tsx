import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import type { MemberReport, teamReportApi } from '@parley/contracts/platform/team-report'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMemberName } from '../../lib/choices/members.ts'
import { formatCount } from '../../lib/format.ts'
import { Link } from '../../lib/navigation.ts'
import { AsOf } from '../../ui/as-of.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Hint } from '../../ui/hint.tsx'
import { SkeletonTable } from '../../ui/skeleton.tsx'
import table from '../../ui/table.module.css'
import styles from './analytics.module.css'
import { rateText, secondsText } from './analytics-labels.ts'
import { type Days, teamReportOptions } from './api.ts'
import { FigureLink } from './figure-link.tsx'

const columns = [
  'Answered',
  'First answer (half)',
  'First answer (95%)',
  'Missed',
  'On time',
  'Closed',
  'Time to close (half)',
  'Rating',
  'Open now',
  'Sent',
] as const
const formula =
  'Answered are customers who waited for a person, credited to who wrote the answer; those of bots had theirs within 24 hours. Times count within the opening hours: half, or 95 of 100, of the first answers took at most so long. On time is answers within the response target, of those that had one. Closed are conversations, each time, credited to who closed them; half of those that a customer had begun, or that were opened again, took at most so long until then. Ratings are of customers whom they answered last before closing, 1 to 5.'

type TeamReport = EndpointResponse<typeof teamReportApi.read>

/** Table of how each member answers customers; every counter opens its rows. */
export function TeamPanel(days: Days) {
  const { data, isLoadingError, isFetching, isPlaceholderData, refetch } = useQuery(teamReportOptions(days))
  if (isLoadingError && !isFetching)
    return (
      <ErrorState
        title="The team’s figures could not be loaded"
        message="Nothing is lost. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <SkeletonTable rows={5} height="44px" />
  return (
    <div className={styles['content']} aria-busy={isPlaceholderData}>
      <AsOf {...data} />
      <section className={styles['panel']} aria-labelledby="team-report">
        <div className={styles['panelHead']}>
          <h2 id="team-report">
            <Hint text={formula}>Team</Hint>
          </h2>
        </div>
        {data.members.length === 0 && !data.bots?.answered && !data.bots?.closed ? (
          <p className={styles['nothing']}>Nobody has answered a customer or closed a conversation in this period.</p>
        ) : (
          <div className={styles['team']}>
            <table className={`${table['table']} ${styles['plain']}`}>
              <thead>
                <tr>
                  <th scope="col">Member</th>
                  {columns.map((column) => (
                    <th key={column} scope="col" className={table['number']}>
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.members.map((member) => (
                  <MemberRow key={member.userId} member={member} />
                ))}
                {data.bots && <BotsRow bots={data.bots} />}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </div>
  )
}

function MemberRow({ member }: { member: MemberReport }) {
  const name = useMemberName()(member.userId, member.name)
  const { userId, replied, sent, firstAnswer, targeted, missed, closed, timeToClose, rating, open } = member
  const figure = (
    metric: 'replied' | 'missed' | 'closed' | 'messagesSent' | 'ratings',
    count: number | string,
    what: string,
  ) => (
    <FigureLink metric={metric} by={`member:${userId}`} what={`${what} ${name}`}>
      {typeof count === 'number' ? formatCount(count) : count}
    </FigureLink>
  )
  const cells = [
    figure('replied', replied, 'customers answered by'),
    firstAnswer ? atMostText(firstAnswer.median) : '–',
    firstAnswer ? atMostText(firstAnswer.p95) : '–',
    figure('missed', missed, 'missed targets of'),
    targeted === 0 ? '–' : rateText(((targeted - missed) / targeted) * 100),
    figure('closed', closed, 'conversations closed by'),
    timeToClose ? atMostText(timeToClose.median) : '–',
    rating ? figure('ratings', `${rating.average.toFixed(1)} (${formatCount(rating.count)})`, 'ratings of') : '–',
    <Link key="open" to={`/conversations?owner=${userId}&show=open`} className={styles['figure']}>
      {formatCount(open)}
      <span className="visually-hidden">: open conversations of {name}</span>
    </Link>,
    figure('messagesSent', sent, 'messages sent by'),
  ]
  return <Row name={name} cells={cells} />
}

/** Work of bots, beside the team: it is no member's. */
function BotsRow({ bots }: { bots: NonNullable<TeamReport['bots']> }) {
  const counts: Partial<Record<(typeof columns)[number], number>> = {
    Answered: bots.answered,
    Closed: bots.closed,
    Sent: bots.sent,
  }
  const cells = columns.map((column) => {
    const count = counts[column]
    return count === undefined ? '–' : formatCount(count)
  })
  return <Row name="Bots" cells={cells} />
}

function Row({ name, cells }: { name: string | undefined; cells: readonly ReactNode[] }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      {cells.map((cell, index) => (
        <td key={columns[index]} className={table['number']} data-column={columns[index]}>
          {cell}
        </td>
      ))}
    </tr>
  )
}

/** `≤ 5 min`. */
const atMostText = ({ atMostSeconds }: NonNullable<MemberReport['firstAnswer']>['median']): string =>
  atMostSeconds === null ? '> 24 h' : `≤ ${secondsText(atMostSeconds)}`
