CREATE TABLE "console"."scenario_cases" (
	"run_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"file" text NOT NULL,
	"title" text NOT NULL,
	"label" text,
	"outcome" text NOT NULL,
	"report" jsonb,
	CONSTRAINT "scenario_cases_run_id_position_pk" PRIMARY KEY("run_id","position")
);
--> statement-breakpoint
CREATE TABLE "console"."scenario_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"staff_name" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"is_stop_requested" boolean DEFAULT false NOT NULL,
	"problem" text
);
--> statement-breakpoint
ALTER TABLE "console"."scenario_cases" ADD CONSTRAINT "scenario_cases_run_id_scenario_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "console"."scenario_runs"("id") ON DELETE cascade ON UPDATE no action;