CREATE TABLE "service"."used_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"idempotency_key" text,
	"dead_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "service"."service_keys" ADD COLUMN "is_sealed" boolean DEFAULT false NOT NULL;