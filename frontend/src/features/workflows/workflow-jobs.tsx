import { useQuery } from '@tanstack/react-query'
import { explain } from '../../lib/explain.ts'
import { flowJobResult, flowJobsOptions, isAtWork, useCancelFlowJob } from '../../lib/flow-jobs.ts'
import { useClock } from '../../lib/use-clock.ts'
import strip from '../../ui/job-strip.module.css'
import { JobBar } from '../../ui/job-strip.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { toast } from '../../ui/toast.ts'

const words = {
  start: 'Starting for contacts',
  retry: 'Trying runs again',
  cancel: 'Ending runs',
  release: 'Letting runs go on',
} as const

/** Work over the runs of a workflow: what is under way, and what the last one has done. */
export function WorkflowJobs({ workflowId }: { workflowId: string }) {
  const { data = [], dataUpdatedAt } = useQuery(flowJobsOptions(workflowId))
  const clock = useClock(dataUpdatedAt)
  const cancel = useCancelFlowJob()
  const working = data.filter(isAtWork)
  const last = data.find((job) => !isAtWork(job))
  return (
    <>
      {working.length > 0 && (
        <ul className={strip['jobs']} aria-label="Under way">
          {working.map((job) => (
            <JobBar
              key={job.id}
              what={words[job.task]}
              job={job}
              stopping={cancel.isPending}
              onStop={() =>
                cancel.mutate(job, { onError: (error) => toast.error(explain(error, 'It could not be stopped.')) })
              }
            />
          ))}
        </ul>
      )}
      {last && (
        <p role="status" className={strip['count']}>
          {flowJobResult(last)} <Timestamp at={last.createdAt} {...clock} />
        </p>
      )}
    </>
  )
}
