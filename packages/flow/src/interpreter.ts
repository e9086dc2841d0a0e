import { type DraftFlow, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { sentenceOf } from './issue-sentence.ts'
import { leaveBy } from './leave.ts'
import { perform } from './perform.ts'
import type { EndReason, FlowEffect, FlowInput, FlowState, StepResult } from './state.ts'
import { triggerFor } from './trigger.ts'

/** Nodes that one input may pass. A flow that would go on is stopped: it runs in a circle. */
export const maxStepsPerInput = 100

/**
 * Moves one conversation on by one input, and stops where the flow waits or ends. It knows no clock and calls nothing: time
 * comes in with the input, everything to be done goes out as effects. A draft may run: a node whose settings are
 * incomplete ends the conversation with a `problem`. A branch without a target ends it too, which is no fault.
 * Never throws for a flow that `draftFlowSchema` accepts.
 */
export function step(flow: DraftFlow, state: FlowState, input: FlowInput): StepResult {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const targets = new Map(flow.edges.map((edge) => [branchKey(edge.source, edge.branch), edge.target]))
  const effects: FlowEffect[] = []
  const visited: string[] = []
  let current = state

  const end = (nodeId: string, reason: EndReason, message?: string): StepResult => {
    effects.push({ type: 'ended', nodeId, reason, ...(message !== undefined && { message }) })
    return { state: { ...current, status: 'ended', nodeId, wait: null }, effects, visited }
  }

  let nodeId: string | undefined
  if (state.status === 'waiting' && state.nodeId !== null) {
    const waiting = state.nodeId
    const settings = nodeSettingsSchema.safeParse(nodes.get(waiting)?.settings)
    if (!settings.success) return end(waiting, 'problem', 'The node at which this conversation waited is gone.')
    const left = leaveBy(settings.data, state, input)
    current = left.state
    effects.push(...left.effects.map((effect) => ({ ...effect, nodeId: waiting })))
    if (left.branch === undefined) return { state: current, effects, visited }
    nodeId = targets.get(branchKey(waiting, left.branch))
    if (nodeId === undefined) return end(waiting, 'no_target')
  } else {
    nodeId = triggerFor(flow, state, input)
    if (nodeId === undefined) return { state, effects, visited }
    if (input.type === 'message') current = { ...current, lastAnswer: input.text.slice(0, 4096) }
  }

  for (let passed = 0; passed < maxStepsPerInput; passed += 1) {
    const here: string = nodeId
    const node = nodes.get(here)
    if (!node) return end(visited.at(-1) ?? here, 'problem', 'The next node does not exist.')
    visited.push(here)
    const settings = nodeSettingsSchema.safeParse(node.settings)
    if (!settings.success) return end(here, 'problem', sentenceOf(settings.error))
    const done = perform(settings.data, current, input.at)
    current = done.state
    effects.push(...done.effects.map((effect) => ({ ...effect, nodeId: here })))
    if (done.ended) return end(here, done.ended.reason, done.ended.message)
    if (done.wait) {
      return { state: { ...current, status: 'waiting', nodeId: here, wait: done.wait }, effects, visited }
    }
    const target = targets.get(branchKey(here, done.branch))
    if (target === undefined) return end(here, 'no_target')
    nodeId = target
  }
  return end(nodeId, 'loop', `The flow runs in a loop: it was stopped after ${maxStepsPerInput} nodes.`)
}

/** A node's id has no space in it. */
const branchKey = (nodeId: string, branch: string) => `${nodeId} ${branch}`
