import { zodResolver } from '@hookform/resolvers/zod'
import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { CampaignDraft } from '@parley/contracts/campaigns/campaign-fields'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { Button, Steps } from 'antd'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { counted } from '../../../lib/format.ts'
import { useScreenDepth } from '../../../lib/screen-depth.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { LeaveWarning } from '../../../ui/leave-warning.tsx'
import { Page } from '../../../ui/page.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useIsMobile } from '../../../ui/use-media.ts'
import { nameOf, writtenOf } from '../drafts-api.ts'
import { showProblems } from '../review/problems.tsx'
import { ReviewStep } from '../review/review-step.tsx'
import { useReview } from '../review/use-review.ts'
import { type CampaignsUrl, type ChangeUrl, noFilters, wizardClosed } from '../url.ts'
import { AudienceStep } from './audience-step.tsx'
import { type Draft, draftSchemaUpTo, emptyDraft, firstOpenStep } from './draft.ts'
import { valuesOf } from './draft-fields.ts'
import { DraftGone } from './draft-gone.tsx'
import styles from './new-broadcast.module.css'
import { SaveStatus } from './save-status.tsx'
import { ScheduleStep } from './schedule-step.tsx'
import { type Step, stepAfter, stepLabels, steps } from './steps.ts'
import { readStoredCampaignDraft } from './stored-draft.ts'
import { TemplateStep } from './template-step.tsx'
import { useDraftContext } from './use-draft-context.ts'
import { useDraftLabels } from './use-draft-labels.ts'
import { useDraftSaves } from './use-draft-saves.ts'
import { useUsualRecent } from './use-usual-recent.ts'

interface Props {
  readonly url: CampaignsUrl
  readonly change: ChangeUrl
  /** Draft as the server has it; absent for a new one. */
  readonly record: CampaignDraft | undefined
  readonly onCreated: (id: string) => void
}

/** Form in four steps. The address names the step; typed values stay when a person goes back and forth, and are saved meanwhile. */
export function DraftSteps({ url, change, record, onCreated }: Props) {
  const step = useRef<Step>('audience')
  const [kept] = useState(() => readStoredCampaignDraft(record?.id))
  const form = useForm<Draft>({
    // Unsaved values from before a reload are newer than the stored ones.
    defaultValues: kept?.values ?? {
      ...(record ? valuesOf(writtenOf(record), record) : emptyDraft),
      ...(url.template && { templateId: url.template }),
    },
    resolver: (draft, of, options) =>
      zodResolver(draftSchemaUpTo(step.current, { ...context, now: new Date() }))(draft, of, options),
  })
  const context = useDraftContext(form)
  useUsualRecent(form, kept === undefined && record === undefined)
  const saves = useDraftSaves({ form, context, record, kept, onCreated })
  const wordsOf = useDraftLabels()
  const draft = form.watch()
  const open = firstOpenStep(draft, context)
  // A draft opens where it is not finished, once that is known; what is written then leads nowhere by itself.
  const [entry, setEntry] = useState<Step | undefined>(record && url.step === undefined ? undefined : 'audience')
  if (!entry && context.ready) setEntry(open)
  const wanted = url.step ?? entry ?? 'audience'
  step.current = steps[Math.min(steps.indexOf(wanted), steps.indexOf(open))] ?? 'audience'
  const inView = step.current
  // An address that names a later step stands for the step in view, and stays there once that is filled in.
  const isElsewhere = url.step === undefined ? inView !== 'audience' : url.step !== inView
  useEffect(() => {
    if (context.ready && isElsewhere) change({ step: inView }, { replace: true })
  }, [context.ready, isElsewhere, inView, change])

  const [launched, setLaunched] = useState<string>()
  const isReview = inView === 'review' && context.ready
  const { saveNow, isSaved, forget } = saves
  // Includes values that were filled in automatically: a review is of the draft at the server.
  useEffect(() => {
    if (isReview && !isSaved) void saveNow()
  }, [isReview, isSaved, saveNow])
  const onLaunched = ({ id, name, status }: Campaign, { counts }: CampaignReview) => {
    const messages = counted(counts.recipients, 'message')
    toast.success(
      status === 'scheduled' ? `${name} is scheduled: ${messages}` : `${name} is started: ${messages} queued`,
    )
    forget()
    setLaunched(id)
  }
  const review = useReview({ draft: isSaved ? saves.stored?.draft : undefined, enabled: isReview, onLaunched })
  const leave = useCallback(() => change(wizardClosed), [change])
  useScreenDepth('New Broadcast', leave)
  // Done when the leave warning knows that nothing is lost. Its details say how far it is, and pause it.
  useEffect(() => {
    if (launched) change({ ...wizardClosed, ...noFilters, id: launched })
  }, [launched, change])

  const submit = form.handleSubmit(() => {
    if (inView === 'review') return review.launch()
    void saveNow()
    change({ step: stepAfter(inView) })
  })

  const isGone = saves.isDeleted || saves.launched !== undefined
  if (isGone && !review.isLaunching && !launched)
    return (
      <Page>
        <DraftGone
          name={nameOf(saves.fields)}
          launched={saves.launched}
          isUnsaved={!isSaved}
          onShow={(id) => change({ ...wizardClosed, id })}
          onKeep={saves.startOver}
          onLeave={leave}
        />
      </Page>
    )
  if (!entry)
    return (
      <Page>
        <SkeletonBlocks count={2} height="220px" />
      </Page>
    )
  return (
    <Page>
      <FormProvider {...form}>
        <form className={styles['form']} onSubmit={submit} noValidate>
          <StepList inView={inView} open={open} onGo={(to) => change({ step: to })} />
          <ConflictNotice what="draft" conflict={saves.conflict} wordsOf={wordsOf} onSettled={saves.settle} />
          <StepHeading key={inView} step={inView}>
            <SaveStatus saves={saves} />
          </StepHeading>
          {inView === 'audience' && <AudienceStep />}
          {inView === 'template' && <TemplateStep />}
          {inView === 'schedule' && <ScheduleStep timeZone={context.timeZone} />}
          {inView === 'review' && (
            <ReviewStep
              context={context}
              review={review}
              isUnsaved={saves.problem !== undefined || saves.phase === 'held'}
              onEdit={(to) => change({ step: to })}
            />
          )}
          <div className={styles['bar']}>
            {inView === 'review' && (review.ready?.problems.length ?? 0) > 0 && (
              <div className={styles['note']}>
                <Button type="link" className={styles['again'] ?? ''} onClick={showProblems}>
                  See what to fix before sending
                </Button>
              </div>
            )}
            {inView === 'review' && review.mayNotSend && (
              <p className={styles['note']} role="status">
                Ask an owner or admin to launch it: your role cannot start campaigns. The draft is saved, and they can
                open it.
              </p>
            )}
            {inView === 'audience' ? (
              <Button onClick={leave}>Close</Button>
            ) : (
              <Button onClick={() => change({ step: steps[steps.indexOf(inView) - 1] })}>Back</Button>
            )}
            {(inView !== 'review' || !review.mayNotSend) && (
              <Button
                type="primary"
                htmlType="submit"
                loading={review.isLaunching}
                disabled={inView === 'review' && !review.canLaunch}
              >
                {inView !== 'review' ? 'Continue' : draft.when === 'now' ? 'Send now' : 'Schedule campaign'}
              </Button>
            )}
          </div>
          <LeaveWarning
            active={!launched && (saves.problem !== undefined || saves.phase === 'held')}
            what="this campaign"
            parameter={url.draft === undefined ? 'new' : 'draft'}
            onLeave={forget}
          />
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

/** Names the step; after a change of step, screen readers and Tab continue from here. */
function StepHeading({ step, children }: { step: Step; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The first step's first field has the focus already.
    if (document.activeElement === document.body || document.activeElement instanceof HTMLButtonElement)
      heading.current?.focus()
  }, [])
  return (
    <div className={styles['top']}>
      <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
        {stepLabels[step]}
      </h2>
      {children}
      <p className={styles['lead']}>{leads[step]}</p>
    </div>
  )
}

/** Shows the current step; every step up to the first unfinished one can be opened, and finished ones have a tick. */
function StepList({ inView, open, onGo }: { inView: Step; open: Step; onGo: (step: Step) => void }) {
  const currentIndex = steps.indexOf(inView)
  const openIndex = steps.indexOf(open)
  const [furthest, setFurthest] = useState(currentIndex)
  if (currentIndex > furthest) setFurthest(currentIndex)
  const isMobile = useIsMobile()
  // Defaults are filled in already, but have not been reviewed.
  const statusOf = (index: number) =>
    index === currentIndex ? 'process' : index < Math.min(furthest, openIndex) ? 'finish' : 'wait'
  return (
    <nav aria-label="Steps">
      <Steps
        current={currentIndex}
        responsive={false}
        size="small"
        titlePlacement={isMobile ? 'vertical' : 'horizontal'}
        onChange={(index) => onGo(steps[index] ?? inView)}
        items={steps.map((step, index) => ({
          title: stepLabels[step],
          status: statusOf(index),
          disabled: index > openIndex,
          'aria-current': index === currentIndex ? 'step' : undefined,
        }))}
      />
    </nav>
  )
}
