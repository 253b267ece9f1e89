ALTER TABLE "console"."notes" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "console"."notes" ADD COLUMN "taken_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "console"."notes" ADD COLUMN "taken_by_id" uuid;--> statement-breakpoint
ALTER TABLE "console"."notes" ADD COLUMN "taken_by_name" text;--> statement-breakpoint
ALTER TABLE "console"."notes" ADD COLUMN "answers_id" uuid;--> statement-breakpoint
ALTER TABLE "console"."notes" ADD CONSTRAINT "notes_taken_by_id_staff_id_fk" FOREIGN KEY ("taken_by_id") REFERENCES "console"."staff"("id") ON DELETE no action ON UPDATE no action;