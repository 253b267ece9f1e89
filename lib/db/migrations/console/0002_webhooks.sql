CREATE TABLE "console"."changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"about" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."inbox_counts" (
	"environment" text NOT NULL,
	"day" text NOT NULL,
	"kind" text NOT NULL,
	"count" bigint NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "inbox_counts_environment_day_kind_pk" PRIMARY KEY("environment","day","kind")
);
--> statement-breakpoint
CREATE TABLE "console"."inbox_events" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"id" text NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"is_known" boolean NOT NULL,
	"card_account_id" uuid,
	"card_id" uuid,
	"time" timestamp (3) with time zone,
	"received_at" timestamp (3) with time zone NOT NULL,
	"duplicates" integer DEFAULT 0 NOT NULL,
	"applied_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"lease_holder" uuid,
	"next_attempt_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."watched_webhooks" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"name" text,
	"url" text,
	"events" jsonb,
	"status" text,
	"stats_status" text NOT NULL,
	"queued_messages" integer NOT NULL,
	"last_success_at" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "watched_webhooks_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "console"."webhook_looks" (
	"environment" text PRIMARY KEY NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	"service_at" timestamp (3) with time zone NOT NULL,
	"clock_source" text NOT NULL,
	"listed_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."webhook_notices" (
	"environment" text NOT NULL,
	"webhook_id" uuid NOT NULL,
	"episode" integer NOT NULL,
	"level" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_notices_environment_webhook_id_episode_level_pk" PRIMARY KEY("environment","webhook_id","episode","level")
);
--> statement-breakpoint
CREATE TABLE "console"."webhook_samples" (
	"number" bigserial PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"webhook_id" uuid NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"service_at" timestamp (3) with time zone NOT NULL,
	"stats_status" text NOT NULL,
	"queued_messages" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."webhook_transitions" (
	"number" bigserial PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"webhook_id" uuid NOT NULL,
	"status_before" text,
	"status_after" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"not_before" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	"queued_messages" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "changes_at" ON "console"."changes" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_events_id" ON "console"."inbox_events" USING btree ("environment","id");--> statement-breakpoint
CREATE INDEX "inbox_events_newest" ON "console"."inbox_events" USING btree ("environment","position" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "inbox_events_name" ON "console"."inbox_events" USING btree ("environment","event","position" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "inbox_events_account" ON "console"."inbox_events" USING btree ("environment","card_account_id","position" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "inbox_events_received" ON "console"."inbox_events" USING btree ("environment","received_at");--> statement-breakpoint
CREATE INDEX "inbox_events_open" ON "console"."inbox_events" USING btree ("next_attempt_at") WHERE applied_at is null;--> statement-breakpoint
CREATE INDEX "webhook_samples_webhook" ON "console"."webhook_samples" USING btree ("environment","webhook_id","service_at");--> statement-breakpoint
CREATE INDEX "webhook_samples_taken" ON "console"."webhook_samples" USING btree ("taken_at");--> statement-breakpoint
CREATE INDEX "webhook_transitions_webhook" ON "console"."webhook_transitions" USING btree ("environment","webhook_id","number");