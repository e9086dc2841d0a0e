/** Progress in sending an outbound message, where its status does not show it. */
export const dispatchStates = ['queued', 'held', 'sending', 'accepted', 'failed', 'uncertain', 'cancelled'] as const
