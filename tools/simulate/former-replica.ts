// Copied into a former version, of which it makes what a simulated world starts a replica with.
export { loadTexts } from '../../src/texts/texts.ts'
export { startReplica } from './replica.ts'
export { configOf } from './settings.ts'
export { enter, leave } from './stand-ins/surroundings.ts'
