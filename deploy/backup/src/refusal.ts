/** Why nothing was done, in words for whoever runs the command. */
export class Refusal extends Error {}
