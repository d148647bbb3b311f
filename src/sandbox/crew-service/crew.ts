// biome-ignore-all lint/performance/noBarrelFile: all that crew files import, as `@signoff/crew-service`.
export { z } from 'zod';
export type { Agent, Crew, TaskContext } from './coded-crew.ts';
export type { Feedback, HumanFeedback } from './crew-description.ts';
export { defineCrew } from './define-crew.ts';
export { defineFlow, type MethodContext } from './define-flow.ts';
export { fromLangGraph, type InterruptDecision } from './frameworks/langgraph.ts';
export { fromOpenAIAgents } from './frameworks/openai-agents.ts';
export type { Json } from './json.ts';
export type { Model } from './model/model.ts';
export { type Tool, tool } from './model/tool.ts';
