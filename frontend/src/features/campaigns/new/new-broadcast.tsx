import { zodResolver } from '@hookform/resolvers/zod'
import { quotaProblem } from '@parley/contracts/usage'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { ApiError } from '../../../lib/api.ts'
import { usageOptions } from '../../../lib/choices/usage.ts'
import { explain } from '../../../lib/explain.ts'
import { counted } from '../../../lib/format.ts'
import { useScreenDepth } from '../../../lib/screen-depth.ts'
import { NotHere } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { LeaveWarning } from '../../../ui/leave-warning.tsx'
import { Page } from '../../../ui/page.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { audienceOptions, campaignOptions, useCreateCampaign } from '../api.ts'
import { type CampaignsUrl, type ChangeUrl, noFilters, wizardClosed } from '../url.ts'
import { AudienceStep } from './audience-step.tsx'
import { campaignOf, type Draft, draftSchemaUpTo, emptyDraft, firstOpenStep, followUp, questionOf } from './draft.ts'
import styles from './new-broadcast.module.css'
import { ReviewStep } from './review-step.tsx'
import { ScheduleStep } from './schedule-step.tsx'
import { StepList } from './step-list.tsx'
import { type Step, stepAfter, steps, stepWords } from './steps.ts'
import { TemplateStep } from './template-step.tsx'
import { useDraftContext } from './use-draft-context.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import { useUsualRecent } from './use-usual-recent.ts'

/** A new broadcast, or one that follows another campaign. */
export function NewBroadcast({ url, change }: { url: CampaignsUrl; change: ChangeUrl }) {
  const { earlier, missed = 'not_read', template } = url
  const found = useQuery({ ...campaignOptions(earlier ?? ''), enabled: earlier !== undefined })
  const leave = useCallback(() => change(wizardClosed), [change])
  if (earlier === undefined)
    return <Steps url={url} change={change} chosen={template ? { templateId: template } : {}} />
  if (found.data) return <Steps url={url} change={change} chosen={followUp(found.data, missed)} />
  return (
    <Page>
      {found.error instanceof ApiError && found.error.status === 404 ? (
        <NotHere what="campaign" onLeave={leave} />
      ) : found.error ? (
        <ErrorState
          title="The campaign could not be loaded"
          message="Nothing was sent. Check your connection and try again."
          onRetry={() => void found.refetch()}
        />
      ) : (
        <SkeletonBlocks count={2} height="220px" />
      )}
    </Page>
  )
}

/** Four steps. The address names the step; what is typed stays when a person goes back and forth. */
function Steps({ url, change, chosen }: { url: CampaignsUrl; change: ChangeUrl; chosen: Partial<Draft> }) {
  const step = useRef<Step>('audience')
  const kept = useKeptDraft(chosen.earlierId)
  const form = useForm<Draft>({
    // What was typed before a reload is newer than the campaign that it follows.
    defaultValues: chosen.earlierId
      ? { ...emptyDraft, ...chosen, ...kept.begun }
      : { ...emptyDraft, ...kept.begun, ...chosen },
    resolver: (draft, of, options) =>
      zodResolver(draftSchemaUpTo(step.current, { ...context, now: new Date() }))(draft, of, options),
  })
  const context = useDraftContext(form)
  useUsualRecent(form, kept.begun === undefined && chosen.earlierId === undefined)
  const draft = form.watch()
  const open = firstOpenStep(draft, context)
  step.current = steps[Math.min(steps.indexOf(url.step ?? 'audience'), steps.indexOf(open))] ?? 'audience'
  const inView = step.current
  // An address that names a later step stands for the step in view, and stays there once that is filled in.
  const wanted = url.step
  useEffect(() => {
    if (context.ready && wanted && wanted !== inView) change({ step: inView }, { replace: true })
  }, [context.ready, wanted, inView, change])
  const [created, setCreated] = useState(false)
  const isDirty = form.formState.isDirty || kept.begun !== undefined
  useEffect(() => {
    if (isDirty && !created) kept.keep(draft)
  }, [isDirty, created, kept.keep, draft])
  const startOver = () => {
    kept.forget()
    form.reset({ ...emptyDraft, ...chosen })
    change({ step: 'audience' }, { replace: true })
  }
  const { data: reach } = useQuery(audienceOptions(questionOf(draft, context.timeZone, draft.templateId)))
  const startsNow = inView === 'review' && draft.when === 'now'
  const { data: usage } = useQuery({ ...usageOptions(), enabled: startsNow })
  const hasNoRoom = startsNow && usage && reach && quotaProblem(usage, reach.reachable) !== undefined
  const blocked = inView === 'review' && (!(reach && reach.reachable > 0) || hasNoRoom === true)

  const create = useCreateCampaign()
  const leave = useCallback(() => change(wizardClosed), [change])
  useScreenDepth('New Broadcast', leave)
  // Once the leave warning knows that nothing is lost.
  useEffect(() => {
    if (created) change({ ...wizardClosed, ...noFilters })
  }, [created, change])

  const submit = form.handleSubmit((values) => {
    if (inView !== 'review') return change({ step: stepAfter(inView) })
    if (blocked) return
    create.mutate(campaignOf(values, context), {
      onSuccess: ({ name, status, counts }) => {
        const queued = counted(counts.queued, 'message')
        toast.success(
          status === 'scheduled' ? `${name} is scheduled: ${queued}` : `${name} is created: ${queued} queued`,
        )
        kept.forget()
        setCreated(true)
      },
      onError: (error) => toast.error(explain(error, 'The campaign could not be created. Your draft is still here.')),
    })
  })

  return (
    <Page>
      <FormProvider {...form}>
        <form className={styles['form']} onSubmit={submit} noValidate>
          <StepList inView={inView} open={open} onGo={(to) => change({ step: to })} />
          {kept.begun && (
            <p className={styles['kept']} role="status">
              This is the broadcast you started earlier.
              <Button type="link" onClick={startOver}>
                Start over
              </Button>
            </p>
          )}
          <StepHeading key={inView} step={inView} />
          {inView === 'audience' && <AudienceStep />}
          {inView === 'template' && <TemplateStep />}
          {inView === 'schedule' && <ScheduleStep timeZone={context.timeZone} />}
          {inView === 'review' && <ReviewStep context={context} onEdit={(to) => change({ step: to })} />}
          <div className={styles['bar']}>
            {inView === 'audience' ? (
              <Button onClick={leave}>Cancel</Button>
            ) : (
              <Button onClick={() => change({ step: steps[steps.indexOf(inView) - 1] })}>Back</Button>
            )}
            <Button type="primary" htmlType="submit" loading={create.isPending} disabled={blocked}>
              {inView !== 'review' ? 'Continue' : draft.when === 'now' ? 'Send now' : 'Schedule campaign'}
            </Button>
          </div>
          <LeaveWarning active={isDirty && !created} what="this broadcast" parameter="new" onLeave={kept.forget} />
        </form>
      </FormProvider>
    </Page>
  )
}

const leads: Record<Step, string> = {
  audience: 'Who gets the message? People who opted out or are blocked are excluded automatically.',
  template: 'Which message do they get, and what fills in its variables?',
  schedule: 'When does it start, and from which number?',
  review: 'Check everything once more before it is sent.',
}

/** Names the step; after a change of step, screen readers and Tab go on from here. */
function StepHeading({ step }: { step: Step }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The first step's first field has the focus already.
    if (document.activeElement === document.body || document.activeElement instanceof HTMLButtonElement)
      heading.current?.focus()
  }, [])
  return (
    <div>
      <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
        {stepWords[step]}
      </h2>
      <p className={styles['lead']}>{leads[step]}</p>
    </div>
  )
}
